import { testFixtures } from '../fixtures.conformance.js'
import { nativeForwarder } from './native-forwarder.js'

testFixtures(nativeForwarder)
