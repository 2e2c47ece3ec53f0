import { testFixtures } from '../fixtures.conformance.js'
import { allowanceForge } from './allowance-forge.js'

testFixtures(allowanceForge)
