import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.js'
import type { Batch, BatchItem, Webhook } from './batch.js'
import type { BatchStore, NewItem } from './batch-store.js'
import type { JobQueue, Work } from './job-queue.js'

export interface BatchOrder {
  keyId: string
  requests: readonly NewItem[]
  webhook: Webhook | undefined
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
  /** `undefined` when the key has too many unfinished ones. */
  create(order: BatchOrder): Promise<Batch | undefined>
  /** `undefined` when there is no such batch, or it is another key's. */
  read(id: string, keyId: string, from: number): Promise<BatchStatus | undefined>
  /** Begins to work, with what an earlier process left behind first. */
  start(): void
  /** Jobs in the queue. */
  depth(): Promise<number>
  close(): Promise<void>
}

export interface BatchesOptions {
  store: BatchStore
  queue: JobQueue
  work: Work
  clock: Clock
  /** Told when open batches could not be put into the queue; it is tried again. */
  onFailure(error: unknown): void
}

/** Batches from order to result. */
export function createBatches({ store, queue, work, clock, onFailure }: BatchesOptions): Batches {
  // The store is the truth: a queue that lost jobs, or was down when they were made, gets them again.
  const requeue = async () => {
    for (const id of await store.listOpen()) await queue.add(id)
  }
  let timer: NodeJS.Timeout | undefined

  return {
    start() {
      void requeue().catch(onFailure)
      timer = setInterval(() => void requeue().catch(onFailure), REQUEUE_MS).unref()
      queue.start(work)
    },
    async create({ keyId, requests, webhook }) {
      const id = `batch_${randomBytes(16).toString('hex')}`
      const batch = { id, keyId, createdAt: clock.now(), requests, webhook }
      if (!(await store.insert(batch))) return undefined
      await queue.add(id).catch(onFailure)
      return store.find(id)
    },
    async read(id, keyId, from) {
      const batch = await store.find(id)
      if (batch === undefined || batch.keyId !== keyId) return undefined
      const items = await store.listItems(id)
      const { positions, next } = chooseResults(items, from)
      return { batch, items, results: await store.readResults(id, positions), next }
    },
    depth: () => queue.depth(),
    async close() {
      clearInterval(timer)
      await queue.close()
    },
  }
}

const REQUEUE_MS = 30_000

/** Characters of results in one answer; a single report with its trace can have a million. The first one always fits. */
const MAX_ANSWER_CHARS = 4_000_000

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
