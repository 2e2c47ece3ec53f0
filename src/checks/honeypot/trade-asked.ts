import { branch } from '../../simulation/fork-verbs.js'
import { defineScenario } from '../../simulation/scenario.js'
import { roundTrip } from '../trade/round-trip.js'
import type { RoundTripFacts } from '../trade/round-trip-facts.js'
import type { TradeInput } from '../trade/run-trade-scenario.js'
import type { HoneypotFacts } from './honeypot-facts.js'
import { timeTravel } from './time-travel.js'

/** The ordinary trades of an amount that was asked about. */
export interface AskedTrade {
  round: RoundTripFacts
  /** Nothing but the windows. */
  windows: HoneypotFacts
}

/** What two checks need of one amount, each from the same beginning. */
export const tradeAsked = defineScenario({
  module: import.meta.url,
  name: 'tradeAsked',
  isShort: true,
  run(fork, input: TradeInput): AskedTrade {
    const windows = branch(fork, () => timeTravel.run(fork, { ...input, onlyWindows: true }))
    return { round: branch(fork, () => roundTrip.run(fork, input)), windows }
  },
})
