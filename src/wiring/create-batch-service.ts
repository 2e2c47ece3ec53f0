import { type Batches, createBatches, webhookJob } from '../batches/create-batches.js'
import { createDeliverWebhook } from '../batches/deliver-webhook.js'
import { BATCH_QUEUE, WEBHOOK_QUEUE } from '../batches/job-queue.js'
import { createSqlBatchStore } from '../batches/sql-batch-store.js'
import { type BatchWorkOptions, createBatchWork } from '../batches/work-on-batch.js'
import { createWebhookWork } from '../batches/work-on-webhook.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import { refuseBatchItem } from '../http/routes/batch/analyse-item.js'
import type { KeyStore } from '../keys/key-store.js'
import type { Limiter } from '../limits/limiter.js'
import type { Log } from '../log.js'
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { Db } from '../stores/database.js'
import type { OpenQueue } from './load-queues.js'

interface BatchParts extends Pick<BatchWorkOptions, 'analyse'> {
  db: Db
  openQueue: OpenQueue
  keyStore: KeyStore
  limiter: Limiter
  slots: ConcurrencyLimit
  clock: Clock
  log: Log
}

/** Batches live in the database. */
export function createBatchService({ privateWebhooks }: Config, parts: BatchParts): Batches {
  const { db, openQueue, keyStore, clock, log } = parts
  const store = createSqlBatchStore(db)
  const onFailure = (error: unknown) => log.warn({ error }, 'the queue of batches failed; it goes on')
  const webhookQueue = openQueue(WEBHOOK_QUEUE, onFailure)
  const work = createBatchWork({
    ...parts,
    store,
    findKey: keyStore.find,
    refuse: refuseBatchItem,
    tell: async (batch) => {
      if (batch.webhook === undefined) return
      const waiting = (await store.countWaitingWebhooks(batch.keyId)) - 1
      await webhookQueue.add(webhookJob(batch, batch.webhook.url, waiting)).catch(onFailure)
    },
  })
  const webhookWork = createWebhookWork({
    store,
    clock,
    deliver: createDeliverWebhook({ allowPrivate: privateWebhooks, now: clock.now }),
    onFailure: (error) => log.warn({ error }, 'a webhook was not delivered'),
  })
  return createBatches({
    store,
    queue: openQueue(BATCH_QUEUE, onFailure),
    work,
    webhookQueue,
    webhookWork,
    clock,
    onFailure,
  })
}
