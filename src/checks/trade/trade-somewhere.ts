import type { Scenario } from '../../simulation/scenario.js'
import type { StateSource } from '../../state/state-source.js'
import type { AnalysisTarget } from '../target.js'
import type { ReadMarketHints } from './read-market-hints.js'
import { runTradeScenario, type TradeDependencies, type TradeInput, type TradeOutcome } from './run-trade-scenario.js'

export interface SomewhereDependencies extends TradeDependencies {
  /** Without it, a token that trades nowhere we look has no market. */
  readMarketHints?: ReadMarketHints
}

/** What every trading scenario tells: whether there was a token and nowhere to trade it. */
export interface MaybeStranded {
  isStranded: boolean
}

/**
 * Plays a trading scenario; where no market was found, once more with what logs tell about others.
 * Only then, because each look at logs is a request that most tokens do not need. Hints that cannot
 * be had change nothing.
 */
export async function tradeSomewhere<Facts extends MaybeStranded>(
  { readMarketHints, ...dependencies }: SomewhereDependencies,
  scenario: Scenario<TradeInput, Facts>,
  target: AnalysisTarget,
  state: StateSource,
): Promise<TradeOutcome<Facts>> {
  const outcome = await runTradeScenario(dependencies, scenario, target, state)
  if (!readMarketHints || !outcome.facts?.isStranded) return outcome
  const hints = await readMarketHints(target, state).catch(() => undefined)
  return hints ? runTradeScenario(dependencies, scenario, { ...target, hints }, state) : outcome
}
