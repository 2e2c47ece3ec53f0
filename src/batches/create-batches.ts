import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.js'
import {
  type Batch,
  type BatchItem,
  type BatchSummary,
  type DeliveryState,
  isBatchId,
  MAX_ANSWER_CHARS,
  type Webhook,
} from './batch.js'
import {
  type BatchStore,
  KEPT_MS,
  MAX_WAITING_WEBHOOKS,
  type NewItem,
  type OpenBatch,
  type Refusal,
} from './batch-store.js'
import type { Job, JobQueue, Work } from './job-queue.js'

export interface BatchOrder {
  keyId: string
  requests: readonly NewItem[]
  webhook: Webhook | undefined
  /** What all batches of the key may take. */
  maxBytes: number
}

export interface BatchStatus {
  batch: Batch
  items: readonly BatchItem[]
  /** Stored results as JSON texts, by position: from the asked one on, as many as fit. */
  results: ReadonlyMap<number, string>
  /** Where to read on, when not all fitted. */
  next: number | undefined
}

export interface Batches {
  /** The batch, or which share of the key is used up. */
  create(order: BatchOrder): Promise<Batch | Refusal>
  /** `undefined` when there is no such batch, or it is another key's. */
  read(id: string, keyId: string, from: number): Promise<BatchStatus | undefined>
  /**
   * Tells the webhook of a finished batch again, or of an unfinished one in the end. `none`: it has
   * no webhook; `webhooks`: too many of the key wait.
   */
  redeliver(id: string, keyId: string): Promise<Batch | 'none' | 'webhooks' | undefined>
  /** Those of the key, newest first. */
  list(keyId: string): Promise<BatchSummary[]>
  /** Finished batches of the key whose webhook waits or was given up, newest first. */
  listWebhooks(keyId: string, states: readonly DeliveryState[]): Promise<Batch[]>
  /** Begins to work, with what an earlier process left behind first. */
  start(): void
  /** Batches in the queue. */
  depth(): Promise<number>
  /** Takes no more batches, and puts those under way back. Safe to call twice. */
  close(): Promise<void>
}

export interface BatchesOptions {
  store: BatchStore
  queue: JobQueue
  work: Work
  /** Deliveries have a queue of their own: a receiver that hangs keeps no batch waiting. */
  webhookQueue: JobQueue
  webhookWork: Work
  clock: Clock
  /** Told when open batches could not be put into the queue; it is tried again. */
  onFailure(error: unknown): void
}

/** Batches from order to result. */
export function createBatches({
  store,
  queue,
  work,
  webhookQueue,
  webhookWork,
  clock,
  onFailure,
}: BatchesOptions): Batches {
  // The store is the truth: a queue that lost jobs, or was down when they were made, gets them
  // again.
  const requeue = async () => {
    for (const [batch, waiting] of withWaiting(await store.listOpen())) await queue.add(batchJob(batch, waiting))
    for (const [{ url, ...batch }, waiting] of withWaiting(await store.listUndelivered())) {
      await webhookQueue.add(webhookJob(batch, url, waiting))
    }
  }
  const addBatch = async (batch: OpenBatch) => queue.add(batchJob(batch, (await store.countOpen(batch.keyId)) - 1))
  const find = async (id: string, keyId: string) => {
    const batch = isBatchId(id) ? await store.find(id) : undefined
    // What is too old is gone, whether or not it was cleared away already.
    return batch?.keyId === keyId && batch.createdAt >= clock.now() - KEPT_MS ? batch : undefined
  }
  let timer: NodeJS.Timeout | undefined
  let closed: Promise<void> | undefined

  return {
    start() {
      void requeue().catch(onFailure)
      timer = setInterval(() => void requeue().catch(onFailure), REQUEUE_MS).unref()
      queue.start(work)
      webhookQueue.start(webhookWork)
    },
    async create({ keyId, ...order }) {
      const id = `batch_${randomBytes(16).toString('hex')}`
      const createdAt = clock.now()
      const refusal = await store.insert({ id, keyId, createdAt, ...order })
      if (refusal !== undefined) return refusal
      await addBatch({ id, keyId }).catch(onFailure)
      const state = order.webhook === undefined ? 'none' : 'waiting'
      return {
        id,
        keyId,
        createdAt,
        finishedAt: undefined,
        webhook: order.webhook,
        webhookState: state,
        webhookAttempts: 0,
      }
    },
    async read(id, keyId, from) {
      const batch = await find(id, keyId)
      if (batch === undefined) return undefined
      const items = await store.listItems(id)
      const { positions, next } = chooseResults(items, from)
      return { batch, items, results: await store.readResults(id, positions), next }
    },
    async redeliver(id, keyId) {
      const batch = await find(id, keyId)
      if (batch === undefined) return undefined
      const { webhook, webhookState } = batch
      if (webhook === undefined) return 'none'
      if (webhookState === 'waiting') return batch
      const waiting = await store.countWaitingWebhooks(keyId)
      if (waiting >= MAX_WAITING_WEBHOOKS) return 'webhooks'
      await store.setWebhook(id, { state: 'waiting', attempts: 0 })
      await webhookQueue.add(webhookJob(batch, webhook.url, waiting)).catch(onFailure)
      return { ...batch, webhookState: 'waiting', webhookAttempts: 0, webhookFailure: undefined }
    },
    list: (keyId) => store.listNewest(keyId, clock.now() - KEPT_MS),
    listWebhooks: (keyId, states) => store.listWebhooks(keyId, clock.now() - KEPT_MS, states),
    depth: () => queue.depth(),
    close() {
      clearInterval(timer)
      closed ??= Promise.all([queue.close(), webhookQueue.close()]).then(() => {})
      return closed
    },
  }
}

const REQUEUE_MS = 30_000

const batchJob = ({ id, keyId }: OpenBatch, waiting: number): Job => ({ id, owner: keyId, lane: id, waiting })

/** Deliveries of a key to one host follow one another. */
export const webhookJob = ({ id, keyId }: OpenBatch, url: string, waiting: number): Job => ({
  id,
  owner: keyId,
  lane: `${keyId} ${new URL(url).host}`,
  waiting,
})

/** Each with the number of the same key's that come before it. */
function withWaiting<T extends OpenBatch>(batches: readonly T[]): [T, number][] {
  const counts = new Map<string, number>()
  return batches.map((batch) => {
    const waiting = counts.get(batch.keyId) ?? 0
    counts.set(batch.keyId, waiting + 1)
    return [batch, waiting]
  })
}

function chooseResults(items: readonly BatchItem[], from: number): { positions: number[]; next: number | undefined } {
  const positions: number[] = []
  let chars = 0
  for (const { position, resultChars } of items) {
    if (position < from || resultChars === 0) continue
    chars += resultChars
    if (positions.length > 0 && chars > MAX_ANSWER_CHARS) return { positions, next: position }
    positions.push(position)
  }
  return { positions, next: undefined }
}
