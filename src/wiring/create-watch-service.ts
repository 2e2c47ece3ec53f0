import { randomUUID } from 'node:crypto'
import { createDeliverWebhook } from '../batches/deliver-webhook.js'
import { ALERT_QUEUE } from '../batches/job-queue.js'
import type { Chain } from '../chains/chain.js'
import { SOLANA_ID } from '../chains/chain-id.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import type { Assess } from '../reports/assess.js'
import type { AssessSolana } from '../reports/assess-solana.js'
import type { BlockHeader } from '../rpc/block-header.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { SolanaRpc } from '../solana/rpc/solana-rpc-client.js'
import type { StateMemory } from '../state/state-memory.js'
import type { Db } from '../stores/database.js'
import { createWatches, type Watches } from '../watching/create-watches.js'
import { createEvmChain } from '../watching/evm-chain.js'
import { createChainFollower } from '../watching/follow-chain.js'
import { createJudgeAgain } from '../watching/judge-again.js'
import { createEvmJudge } from '../watching/judge-evm-token.js'
import { createSolanaJudge } from '../watching/judge-solana-token.js'
import type { Judges } from '../watching/judge-token.js'
import { createPendingLooks } from '../watching/pending-transactions.js'
import { createReadWords } from '../watching/read-words.js'
import { createSolanaChain } from '../watching/solana-chain.js'
import type { WatchStore } from '../watching/watch-store.js'
import { createAlertWork } from '../watching/work-on-alert.js'
import type { OpenQueue } from './load-queues.js'

/** What watching takes, of whole chains or of tokens. */
export interface WatchParts {
  store: WatchStore
  db: Db
  openQueue: OpenQueue
  rpcClients: ReadonlyMap<number, RpcClient>
  solanaRpc: SolanaRpc
  memory: Pick<StateMemory, 'head' | 'forgetHead'>
  assess: Assess
  assessSolana: AssessSolana
  slots: ConcurrencyLimit
  clock: Clock
  log: Log
}

/** Watches live in the database, which also decides which process follows which chain. */
export function createWatchService(config: Config, parts: WatchParts): Watches {
  const { privateWebhooks, looksAtPending } = config
  const { store, rpcClients, solanaRpc, memory, slots, clock, log } = parts
  const holder = randomUUID()
  const chainIds = [SOLANA_ID, ...config.chains.map(({ id }) => id).filter((id) => rpcClients.has(id))]
  const onFailure = (error: unknown) => log.warn({ error }, 'watching failed; it goes on')
  const queue = parts.openQueue(ALERT_QUEUE, onFailure)
  return createWatches({
    store,
    clock,
    chainIds,
    follow(chainId) {
      const own = { chainId, store, holder, clock }
      if (chainId === SOLANA_ID) return createChainFollower({ ...own, chain: createSolanaChain(solanaRpc) })
      const { chain, rpc } = chainOf(config, parts, chainId)
      const onHead = createForgetHead(memory, chain)
      return createChainFollower({
        ...{ ...own, chain: createEvmChain({ rpc, readWords: createReadWords(chain, rpc), onHead }) },
        pending: looksAtPending ? createPendingLooks({ rpc, clock }) : undefined,
      })
    },
    judgeAgain: createJudgeAgain({ judges: judgesOf(config, parts, chainIds), store, slots, clock, onFailure }),
    queue,
    work: createAlertWork({
      store,
      deliver: createDeliverWebhook({ allowPrivate: privateWebhooks, now: clock.now }),
      clock,
      onFailure: (error) => log.warn({ error }, 'an alert was not delivered'),
    }),
    onFailure,
  })
}

/** Throws where the operator has taken the chain away. */
export function chainOf({ chains }: Pick<Config, 'chains'>, { rpcClients }: WatchParts, chainId: number) {
  const [chain, rpc] = [chains.find(({ id }) => id === chainId), rpcClients.get(chainId)]
  if (!chain || !rpc) throw new RangeError(`no client for chain ${chainId}`)
  return { chain, rpc }
}

/** Who judges tokens of these chains. */
export const judgesOf = (config: Config, parts: WatchParts, chainIds: readonly number[]): Judges =>
  new Map(
    chainIds.map((id) => [
      id,
      id === SOLANA_ID
        ? createSolanaJudge(parts.assessSolana)
        : createEvmJudge(chainOf(config, parts, id).chain, parts.assess),
    ]),
  )

/** What is judged next is judged at the newest block that was seen. */
export const createForgetHead =
  (memory: WatchParts['memory'], chain: Chain) =>
  ({ hash }: Pick<BlockHeader, 'hash'>): void => {
    if (memory.head(chain)?.block.hash !== hash) memory.forgetHead(chain)
  }
