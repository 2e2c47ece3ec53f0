import { testFixtures } from '../fixtures.conformance.js'
import { arbitraryCall } from './arbitrary-call.js'

testFixtures(arbitraryCall)
