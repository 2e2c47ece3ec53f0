import { testFixtures } from '../fixtures.conformance.js'
import { transferLimit } from './transfer-limit.js'

testFixtures(transferLimit)
