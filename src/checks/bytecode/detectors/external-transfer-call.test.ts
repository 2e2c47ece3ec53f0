import { testFixtures } from '../fixtures.conformance.js'
import { externalTransferCall } from './external-transfer-call.js'

testFixtures(externalTransferCall)
