import type { Address } from '../../hex.js'
import type { StateSource } from '../../state/state-source.js'
import type { ReadTransfers } from '../history/read-transfers.js'
import { newestFirst, parseTransfer } from '../history/transfer-log.js'
import type { AnalysisTarget } from '../target.js'
import { runTradeScenario, type TradeDependencies } from '../trade/run-trade-scenario.js'
import { analyseHolders } from './analyse-holders.js'
import { chooseCandidates } from './choose-candidates.js'
import type { HolderAnalysis } from './holders-report.js'
import { sellAsHolders } from './sell-as-holders.js'

export interface HoldersDependencies extends TradeDependencies {
  readTransfers: ReadTransfers
}

/**
 * Whether real holders can sell. `judgedPool` is where the token is traded, once that is known;
 * without one there is no market to sell to. Rejects when no node can be asked.
 */
export async function checkHolders(
  dependencies: HoldersDependencies,
  target: AnalysisTarget,
  state: StateSource,
  judgedPool: Promise<Address | undefined>,
): Promise<HolderAnalysis | undefined> {
  const { chain, address, signal } = target
  const [{ logs }, pool] = await Promise.all([
    dependencies.readTransfers({ chain, token: address, head: state.block, ...(signal && { signal }) }),
    judgedPool,
  ])
  if (pool === undefined) return undefined
  const transfers = logs.flatMap(parseTransfer).sort(newestFirst)
  const candidates = chooseCandidates(transfers, pool, [address, chain.wrappedNative])
  const holders = new Set(transfers.map(({ to }) => to)).size
  if (candidates.length === 0) return analyseHolders({ sells: [], unfinished: '' }, holders)
  const { facts, resisted } = await runTradeScenario(dependencies, sellAsHolders, target, state, { candidates })
  return analyseHolders(facts ?? { sells: [], unfinished: resisted ?? '' }, holders)
}
