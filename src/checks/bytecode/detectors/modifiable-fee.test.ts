import { testFixtures } from '../fixtures.conformance.js'
import { modifiableFee } from './modifiable-fee.js'

testFixtures(modifiableFee)
