import type { Clock } from '../clock.js'
import type { KeyRecord } from '../keys/key-record.js'
import type { Limiter } from '../limits/limiter.js'
import { type ConcurrencyLimit, QueueFullError } from '../scheduling/concurrency-limit.js'
import type { Batch, BatchItem, BatchRequest, ItemResult } from './batch.js'
import { type BatchStore, bytesFor } from './batch-store.js'
import type { Again, Work } from './job-queue.js'

/** Makes the analyses of one target. Rejects only when `signal` fired. */
export type AnalyseItem = (request: BatchRequest, run: { caller: string; signal: AbortSignal }) => Promise<ItemResult>

export interface BatchWorkOptions {
  store: BatchStore
  findKey(id: string): Promise<KeyRecord | undefined>
  limiter: Limiter
  slots: ConcurrencyLimit
  analyse: AnalyseItem
  /** What an item gets that may not or cannot be analysed. */
  refuse(request: BatchRequest, reason: 'invalid_key' | 'server_error' | 'storage_limit'): ItemResult
  /**
   * Has the webhook of a batch told that is finished. May fail: it is found again by what is
   * stored.
   */
  tell(batch: Batch): Promise<void>
  clock: Clock
}

/**
 * One turn at a batch: analyses what is left as far as the key's limit and {@link TURN_MS} go. A
 * turn may end anywhere, at worst by the death of the process: the next one goes on with what is
 * not stored.
 */
export function createBatchWork(options: BatchWorkOptions): Work {
  const { store, clock } = options
  return async (id, signal) => {
    const batch = await store.find(id)
    if (batch === undefined || batch.finishedAt !== undefined) return undefined
    const again = await analyseItems(options, batch, signal)
    if (again !== undefined) return again
    await store.finish(id, clock.now())
    await options.tell(batch)
    return undefined
  }
}

/** Analyses of one batch at the same time; how many run in all is for the slots to say. */
const PARALLEL_ITEMS = 4

/** After this long a batch lets those go first that wait for a place. */
const TURN_MS = 10_000

async function analyseItems(options: BatchWorkOptions, batch: Batch, signal: AbortSignal): Promise<Again | undefined> {
  const left = (await options.store.listItems(batch.id)).filter(({ state }) => state === 'waiting').values()
  const endAt = options.clock.monotonic() + TURN_MS
  let again: Again | undefined
  const lane = async () => {
    for (const item of left) {
      if (options.clock.monotonic() >= endAt) again ??= { againInMs: 0 }
      if (again !== undefined) return
      const wish = await analyseItem(options, { batch, item, signal })
      again = wish ?? again
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_ITEMS }, lane))
  return again
}

/** After this many deaths of a process in the middle of it, an item is what kills them. */
const MAX_ATTEMPTS = 5

/** Slots are taken by people who wait; a batch comes back. */
const BUSY_AGAIN_MS = 2_000

interface Turn {
  batch: Batch
  item: BatchItem
  signal: AbortSignal
}

async function analyseItem(options: BatchWorkOptions, turn: Turn): Promise<Again | undefined> {
  const { batch, signal } = turn
  try {
    const lane = String(turn.item.request.body.chainId)
    return await options.slots.run({ caller: batch.keyId, lane, signal }, () => analyseInSlot(options, turn))
  } catch (error) {
    if (signal.aborted) return { againInMs: 0 }
    if (error instanceof QueueFullError) return { againInMs: BUSY_AGAIN_MS }
    throw error
  }
}

async function analyseInSlot(
  { store, findKey, limiter, analyse, refuse }: BatchWorkOptions,
  { batch: { id, keyId }, item: { position, request }, signal }: Turn,
): Promise<Again | undefined> {
  const key = await findKey(keyId)
  if (key === undefined || key.revokedAt !== undefined) {
    await store.finishItem(id, position, refuse(request, 'invalid_key'))
    return undefined
  }
  if ((await store.bytesOf(keyId)) >= bytesFor(key.limits)) {
    await store.finishItem(id, position, refuse(request, 'storage_limit'))
    return undefined
  }
  const { allowed, resetMs } = await limiter.take({
    caller: { kind: 'key', id: keyId },
    limitClass: 'analysis',
    limit: batchLimit(key.limits.analysis),
  })
  if (!allowed) return { againInMs: resetMs }
  const attempts = await store.beginItem(id, position)
  const result =
    attempts > MAX_ATTEMPTS ? refuse(request, 'server_error') : await analyse(request, { caller: keyId, signal })
  // What was cut short by our own stopping is no result, and what the machine had no time for only
  // when it never has.
  if (signal.aborted) return { againInMs: 0 }
  if (isLate(result) && attempts < MAX_ATTEMPTS) return { againInMs: BUSY_AGAIN_MS }
  await store.finishItem(id, position, result)
  return undefined
}

const isLate = ({ result }: ItemResult) =>
  Object.values(result).some((part) => (part as { code?: unknown } | null)?.code === 'machine_busy')

/** Batches leave a fifth of the key's limit to requests that wait for an answer now. */
export function batchLimit(limit: number): number {
  return Math.max(1, Math.floor(limit * 0.8))
}
