import type { ReadAhead } from '../state/rpc-state-source.js'
import type { StateSource } from '../state/state-source.js'
import { tradeSeeds } from './run-trade-scenario.js'
import type { AnalysisTarget } from './target.js'

/** Pins one block for the whole request and reads what `plan` foresees along with it. Rejects when no node can be asked. */
export type OpenState = (
  target: Pick<AnalysisTarget, 'chain' | 'blockNumber' | 'signal'>,
  plan: ReadAhead,
) => Promise<StateSource>

/** What a check that trades `target` is going to read. `job` tells checks apart that read differently. */
export function tradePlan(job: 'simulate' | 'honeypot', { chain, address }: AnalysisTarget): ReadAhead {
  return { key: `${job}:${address}`, seeds: tradeSeeds(chain, address) }
}
