import { testFixtures } from '../fixtures.conformance.js'
import { environmentTransfer } from './environment-transfer.js'

testFixtures(environmentTransfer)
