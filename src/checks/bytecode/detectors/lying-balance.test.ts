import { testFixtures } from '../fixtures.conformance.js'
import { lyingBalance } from './lying-balance.js'

testFixtures(lyingBalance)
