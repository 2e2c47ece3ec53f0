import { createSharedWork } from '../../scheduling/shared-work.js'
import { branch } from '../../simulation/fork-verbs.js'
import { defineScenario } from '../../simulation/scenario.js'
import type { StateSource } from '../../state/state-source.js'
import { nameAtBlock } from '../name-at-block.js'
import type { AnalysisTarget } from '../target.js'
import { roundTrip } from '../trade/round-trip.js'
import type { RoundTripFacts } from '../trade/round-trip-facts.js'
import {
  runTradeScenario,
  type TradeDependencies,
  type TradeInput,
  type TradeOutcome,
} from '../trade/run-trade-scenario.js'
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
  run(fork, input: TradeInput): AskedTrade {
    const windows = branch(fork, () => timeTravel.run(fork, { ...input, onlyWindows: true }))
    return { round: branch(fork, () => roundTrip.run(fork, input)), windows }
  },
})

/**
 * Trades the amount that `target` names in one run for all checks of one question. `undefined`
 * where no amount is named, where one check alone is wanted, and where each has to see for itself:
 * without a market, where a bound was met, or where only a node can execute it.
 */
export type TradeAsked = (target: AnalysisTarget, state: StateSource) => Promise<AskedTrade | undefined>

/** Analyses whose checks begin at the same time; one may hold a trace of 100 kB. */
const MAX_KEPT = 8

export function createTradeAsked(dependencies: TradeDependencies): TradeAsked {
  const played = createSharedWork<TradeOutcome<AskedTrade>>({
    maxEntries: MAX_KEPT,
    isLasting: ({ facts }) => facts !== undefined,
  })
  return async (target, state) => {
    const { amount, trace, only, signal } = target
    if (amount === undefined || only) return undefined
    const name = `${nameAtBlock(target, state)} ${amount} ${trace ?? ''}`
    const { facts } = await played.get(name, () => runTradeScenario(dependencies, tradeAsked, target, state), signal)
    return facts?.windows.isStranded ? undefined : facts
  }
}
