import { testFixtures } from '../fixtures.conformance.js'
import { alteredTransfer } from './altered-transfer.js'

testFixtures(alteredTransfer)
