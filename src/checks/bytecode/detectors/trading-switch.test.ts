import { testFixtures } from '../fixtures.conformance.js'
import { tradingSwitch } from './trading-switch.js'

testFixtures(tradingSwitch)
