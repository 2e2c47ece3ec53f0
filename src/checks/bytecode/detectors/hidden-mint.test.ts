import { testFixtures } from '../fixtures.conformance.js'
import { hiddenMint } from './hidden-mint.js'

testFixtures(hiddenMint)
