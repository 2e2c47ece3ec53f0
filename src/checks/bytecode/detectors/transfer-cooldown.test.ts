import { testFixtures } from '../fixtures.conformance.js'
import { transferCooldown } from './transfer-cooldown.js'

testFixtures(transferCooldown)
