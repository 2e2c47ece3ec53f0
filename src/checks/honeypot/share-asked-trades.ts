import { createSharedWork } from '../../scheduling/shared-work.js'
import type { StateSource } from '../../state/state-source.js'
import { nameAtBlock } from '../name-at-block.js'
import type { AnalysisTarget } from '../target.js'
import { runTradeScenario, type TradeDependencies, type TradeOutcome } from '../trade/run-trade-scenario.js'
import { type AskedTrade, tradeAsked } from './trade-asked.js'

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
