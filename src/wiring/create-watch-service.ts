import { randomUUID } from 'node:crypto'
import { createDeliverWebhook } from '../batches/deliver-webhook.js'
import { ALERT_QUEUE } from '../batches/job-queue.js'
import { createRedisJobQueue } from '../batches/redis-job-queue.js'
import { createSqlJobQueue } from '../batches/sql-job-queue.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import type { Assess } from '../reports/assess.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { Db } from '../stores/database.js'
import { createWatches, type Watches } from '../watching/create-watches.js'
import { createChainFollower } from '../watching/follow-chain.js'
import { createJudgeAgain } from '../watching/judge-again.js'
import { createReadWords } from '../watching/read-words.js'
import { createSqlWatchStore } from '../watching/sql-watch-store.js'
import { createAlertWork } from '../watching/work-on-alert.js'

interface WatchParts {
  db: Db
  rpcClients: ReadonlyMap<number, RpcClient>
  assess: Assess
  slots: ConcurrencyLimit
  clock: Clock
  log: Log
}

/** Watches live in the database, which also decides which process follows which chain. */
export function createWatchService(
  { chains, redisUrl, privateWebhooks }: Config,
  { db, rpcClients, assess, slots, clock, log }: WatchParts,
): Watches {
  const store = createSqlWatchStore(db)
  const holder = randomUUID()
  const onFailure = (error: unknown) => log.warn({ error }, 'watching failed; it goes on')
  const queue =
    redisUrl === undefined
      ? createSqlJobQueue({ db, kind: ALERT_QUEUE, clock, onFailure })
      : createRedisJobQueue({ url: redisUrl, kind: ALERT_QUEUE, onFailure })
  return createWatches({
    store,
    clock,
    chains: chains.filter(({ id }) => rpcClients.has(id)),
    follow(chainId) {
      const [chain, rpc] = [chains.find(({ id }) => id === chainId), rpcClients.get(chainId)]
      if (!chain || !rpc) throw new RangeError(`no client for chain ${chainId}`)
      return createChainFollower({ chainId, rpc, store, holder, clock, readWords: createReadWords(chain, rpc) })
    },
    judgeAgain: createJudgeAgain({ chains, store, assess, slots, clock, onFailure }),
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
