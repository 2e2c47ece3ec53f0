import type { KeyLimits } from '../keys/key-record.js'
import { StoreError } from '../stores/store-error.js'
import type {
  Batch,
  BatchItem,
  BatchRequest,
  BatchSummary,
  DeliveryState,
  ItemResult,
  Webhook,
  WebhookState,
} from './batch.js'

export interface NewBatch {
  id: string
  keyId: string
  createdAt: number
  requests: readonly NewItem[]
  webhook: Webhook | undefined
  /** What all batches of the key may take. */
  maxBytes: number
}

/** Which share of the key is used up. */
export type Refusal = 'open' | 'bytes' | 'webhooks'

/** A batch that something is to be done for. */
export interface OpenBatch {
  id: string
  keyId: string
}

export interface UndeliveredBatch extends OpenBatch {
  url: string
}

export interface NewItem {
  request: BatchRequest
  /** What is known already, of a target that cannot be analysed. */
  outcome?: ItemResult
}

/**
 * Where batches and their results live. Every promise rejects with `BatchStoreError` when the store
 * cannot be asked; a write that resolved survives the death of the process.
 */
export interface BatchStore {
  /**
   * Says why nothing was written: the key has {@link MAX_OPEN_BATCHES} unfinished ones, {@link
   * MAX_WAITING_WEBHOOKS}, or `maxBytes` stored. Forgets batches older than {@link KEPT_MS}, some
   * at a time.
   */
  insert(batch: NewBatch): Promise<Refusal | undefined>
  find(id: string): Promise<Batch | undefined>
  /** Batches of the key since then, newest first, at most {@link MAX_LISTED_BATCHES}. */
  listNewest(keyId: string, since: number): Promise<BatchSummary[]>
  /** Bytes that batches of the key take. */
  bytesOf(keyId: string): Promise<number>
  /** All items in order, without their results, which are not looked at. */
  listItems(id: string): Promise<BatchItem[]>
  /** Results by position, as stored texts. Positions without any are left out. */
  readResults(id: string, positions: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Batches with targets left to analyse, oldest first, at most {@link MAX_LISTED_OPEN}. */
  listOpen(): Promise<OpenBatch[]>
  /** Finished batches whose webhook waits, oldest first, at most {@link MAX_LISTED_OPEN}. */
  listUndelivered(): Promise<UndeliveredBatch[]>
  /** Unfinished batches of the key. */
  countOpen(keyId: string): Promise<number>
  countWaitingWebhooks(keyId: string): Promise<number>
  /** Counts an attempt at an item, and gives how many there were with this one. */
  beginItem(id: string, position: number): Promise<number>
  finishItem(id: string, position: number, result: ItemResult): Promise<void>
  finish(id: string, at: number): Promise<void>
  setWebhook(id: string, delivery: Delivery): Promise<void>
  /**
   * Finished batches of the key since then whose webhook is in one of these states, newest first,
   * at most {@link MAX_LISTED_WEBHOOKS}.
   */
  listWebhooks(keyId: string, since: number, states: readonly DeliveryState[]): Promise<Batch[]>
}

/** How far the delivery of a webhook is. */
export interface Delivery {
  state: WebhookState
  attempts: number
  /** Why the last attempt failed. */
  failure?: string
}

/** Of one answer. */
export const MAX_LISTED_BATCHES = 50

/** More show themselves when these are told. */
export const MAX_LISTED_WEBHOOKS = 100

/** What one key may have waiting: a thousand targets. */
export const MAX_OPEN_BATCHES = 10

/** Webhooks of one key that are not told yet, of its open batches too. */
export const MAX_WAITING_WEBHOOKS = 100

/**
 * Stored bytes of a key for each analysis a minute that it may make: 160 MB for a free one, which
 * is more than it can fill in {@link KEPT_MS} with ordinary reports of 5 kB.
 */
const BYTES_PER_ANALYSIS = 16_000_000

/** What all batches of a key with these limits may take. */
export const bytesFor = ({ analysis }: Pick<KeyLimits, 'analysis'>): number => BYTES_PER_ANALYSIS * analysis

/** Long enough to fetch results after a weekend. */
export const KEPT_MS = 3 * 24 * 3_600_000

/** The rest is found at the next look. */
export const MAX_LISTED_OPEN = 1_000

/** The database did not answer, or answered nonsense. */
export class BatchStoreError extends StoreError {
  override readonly name = 'BatchStoreError'

  constructor(operation: string, cause: unknown) {
    super('batch store', operation, cause)
  }
}
