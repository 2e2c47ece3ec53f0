import { testFixtures } from '../fixtures.conformance.js'
import { fakeTransferEvent } from './fake-transfer-event.js'

testFixtures(fakeTransferEvent)
