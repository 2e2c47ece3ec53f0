import { testFixtures } from '../fixtures.conformance.js'
import { balanceSeizure } from './balance-seizure.js'

testFixtures(balanceSeizure)
