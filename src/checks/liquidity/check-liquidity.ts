import type { Address } from '../../hex.js'
import type { StateSource } from '../../state/state-source.js'
import type { AnalysisTarget } from '../target.js'
import { runTradeScenario, type TradeDependencies } from '../trade/run-trade-scenario.js'
import type { LiquidityReport } from './liquidity-report.js'
import { listStakes, measureStakes, tryHolders } from './measure-liquidity.js'
import type { PoolShares, ReadShares } from './read-shares.js'
import { reportLiquidity } from './report-liquidity.js'

export interface LiquidityDependencies extends TradeDependencies {
  readShares: ReadShares
}

const UNREAD: PoolShares = { transfers: [], positions: [], isWhole: false }

/**
 * Where the judged pool's liquidity is, and when it can leave. A node that does not search its logs
 * leaves the usual places to look at. `undefined` without a pool. Rejects when no node can be
 * asked.
 */
export async function checkLiquidity(
  dependencies: LiquidityDependencies,
  target: AnalysisTarget,
  state: StateSource,
  pool: Address,
): Promise<LiquidityReport | undefined> {
  const { chain, signal } = target
  const abort = signal ? { signal } : {}
  const shares = await dependencies.readShares({ chain, pool, head: state.block, ...abort }).catch(() => UNREAD)
  const judged = { ...target, pair: pool }
  const listed = await runTradeScenario(dependencies, listStakes, judged, state, { shares })
  if (listed.resisted !== undefined) return unmeasuredLiquidity(pool, listed.resisted)
  if (listed.facts === undefined) return undefined
  const { stakes, ...facts } = listed.facts
  const measured = await runTradeScenario(dependencies, measureStakes, judged, state, { shares, stakes })
  if (measured.resisted !== undefined) return unmeasuredLiquidity(pool, measured.resisted)
  const tried = await runTradeScenario(dependencies, tryHolders, judged, state, { shares, stakes: measured.facts })
  const report = reportLiquidity(facts, tried.facts ?? { holders: [], unfinished: tried.resisted }, shares.isWhole)
  return { ...report, since: shares.since }
}

/** Nothing is known, so nothing is safe. */
export function unmeasuredLiquidity(pool: Address, unfinished: string): LiquidityReport {
  return {
    ...{ venue: '', pool, depth: 0n, holders: [], burntBps: 0, lockedBps: 0, unknownBps: 10_000, unlocks: [] },
    ...{ withdrawableBps: { now: 0, in24h: 0, in7d: 0 }, unfinished },
  }
}
