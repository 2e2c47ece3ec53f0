import { testFixtures } from '../fixtures.conformance.js'
import { allowanceBypass } from './allowance-bypass.js'

testFixtures(allowanceBypass)
