import type { Clock } from '../../clock.js'
import type { StateSource } from '../../state/state-source.js'
import type { AnalysisTarget } from '../target.js'
import { roundTrip } from './round-trip.js'
import { nothingHappened, type RoundTripFacts } from './round-trip-facts.js'
import { runTradeScenario, type TradeDependencies } from './run-trade-scenario.js'
import type { TradeReport } from './trade-report.js'
import { judgeRoundTrip } from './trade-verdict.js'

export interface TradeCheckDependencies extends TradeDependencies {
  clock: Clock
  /** Without it, each trade is played alone. */
  tradeAsked?: TradeRound
}

/** The same trade where it is played together with others; `undefined` where it is not. */
export type TradeRound = (target: AnalysisTarget, state: StateSource) => Promise<{ round: RoundTripFacts } | undefined>

/**
 * Trades the target on a private copy of the chain. Code that resists gives a failed report that
 * says so; a node that cannot be asked rejects.
 */
export async function checkTrade(
  { clock, tradeAsked, ...dependencies }: TradeCheckDependencies,
  target: AnalysisTarget,
  state: StateSource,
): Promise<TradeReport> {
  const simulatedAt = clock.now()
  const asked = await tradeAsked?.(target, state)
  const { facts, resisted } = asked
    ? { facts: asked.round }
    : await runTradeScenario(dependencies, roundTrip, target, state)
  if (facts) return { ...facts, ...judgeRoundTrip(facts), simulatedAt }
  const verdict = { success: false, errorReason: resisted, isHoneypot: false, inconclusive: resisted }
  return { ...nothingHappened('contract', target.chain), ...verdict, simulatedAt }
}
