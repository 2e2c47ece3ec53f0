import { testFixtures } from '../fixtures.conformance.js'
import { whitelist } from './whitelist.js'

testFixtures(whitelist)
