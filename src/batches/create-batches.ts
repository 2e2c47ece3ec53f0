import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.js'
import {
  type Batch,
  type BatchItem,
  isBatchId,
  MAX_ANSWER_CHARS,
  UNTOLD_STATES,
  type UntoldState,
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
  /** Finished batches of the key whose webhook waits or was given up, newest first. */
  listUntold(keyId: string, states?: readonly UntoldState[]): Promise<Batch[]>
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
    for (const batch of await store.listOpen()) await queue.add(batchJob(batch))
    for (const { url, ...batch } of await store.listUndelivered()) await webhookQueue.add(webhookJob(batch, url))
  }
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
      await queue.add(batchJob({ id, keyId })).catch(onFailure)
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
      if ((await store.countWaitingWebhooks(keyId)) >= MAX_WAITING_WEBHOOKS) return 'webhooks'
      await store.setWebhook(id, { state: 'waiting', attempts: 0 })
      await webhookQueue.add(webhookJob(batch, webhook.url)).catch(onFailure)
      return { ...batch, webhookState: 'waiting', webhookAttempts: 0, webhookFailure: undefined }
    },
    listUntold: (keyId, states = UNTOLD_STATES) => store.listUntold(keyId, clock.now() - KEPT_MS, states),
    depth: () => queue.depth(),
    close() {
      clearInterval(timer)
      closed ??= Promise.all([queue.close(), webhookQueue.close()]).then(() => {})
      return closed
    },
  }
}

const REQUEUE_MS = 30_000

const batchJob = ({ id, keyId }: OpenBatch): Job => ({ id, owner: keyId, lane: id })

/** Deliveries of a key to one host follow one another. */
export const webhookJob = ({ id, keyId }: OpenBatch, url: string): Job => ({
  id,
  owner: keyId,
  lane: `${keyId} ${new URL(url).host}`,
})

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
