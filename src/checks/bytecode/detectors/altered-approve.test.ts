import { testFixtures } from '../fixtures.conformance.js'
import { alteredApprove } from './altered-approve.js'

testFixtures(alteredApprove)
