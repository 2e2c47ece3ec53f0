import { testFixtures } from '../fixtures.conformance.js'
import { hiddenOwner } from './hidden-owner.js'

testFixtures(hiddenOwner)
