import { testFixtures } from '../fixtures.conformance.js'
import { allowancePuller } from './allowance-puller.js'

testFixtures(allowancePuller)
