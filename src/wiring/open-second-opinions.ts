import { join } from 'node:path'
import type { Chain } from '../chains/chain.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import type { Metrics } from '../metrics/create-metrics.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import { createSecondOpinions, type SecondOpinions } from '../simulation/second-opinion/create-second-opinions.js'
import { createKeeper } from '../simulation/second-opinion/keep-disagreements.js'

export interface SecondOpinionParts {
  createClient(chain: Chain): RpcClient
  clock: Clock
  log: Log
  metrics: Metrics
}

/** Second opinions as `config` says, with clients of their own that are made when one is needed. */
export function openSecondOpinions(
  { secondOpinions: oneIn, dataDir }: Config,
  { createClient, clock, log, metrics }: SecondOpinionParts,
): SecondOpinions & { close(): Promise<void> } {
  const clients = new Map<number, RpcClient>()
  const clientOf = (chain: Chain) => {
    const client = clients.get(chain.id) ?? createClient(chain)
    clients.set(chain.id, client)
    return client
  }
  const keep = createKeeper({
    folder: join(dataDir, 'second-opinions'),
    clock,
    onKept: (path, { chainId, suspect, differences }) =>
      log.warn({ chainId, suspect, differences, path }, 'a node contradicts a simulation'),
    onFailure: (error) => log.warn({ error }, 'a disagreement with a node could not be kept'),
  })
  const onOpinion = metrics.countSecondOpinion
  const opinions = createSecondOpinions({ oneIn, clientOf, clock, onOpinion, keep })
  return {
    ...opinions,
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()))
      await opinions.idle()
    },
  }
}
