import { testFixtures } from '../fixtures.conformance.js'
import { arbitraryWrite } from './arbitrary-write.js'

testFixtures(arbitraryWrite)
