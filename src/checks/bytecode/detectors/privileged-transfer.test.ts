import { testFixtures } from '../fixtures.conformance.js'
import { privilegedTransfer } from './privileged-transfer.js'

testFixtures(privilegedTransfer)
