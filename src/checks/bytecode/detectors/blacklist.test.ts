import { testFixtures } from '../fixtures.conformance.js'
import { blacklist } from './blacklist.js'

testFixtures(blacklist)
