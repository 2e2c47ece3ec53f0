import { BaseError } from '../errors.js'
import type { Batch, BatchItem, BatchRequest, ItemResult, Webhook, WebhookState } from './batch.js'

export interface NewBatch {
  id: string
  keyId: string
  createdAt: number
  requests: readonly NewItem[]
  webhook: Webhook | undefined
}

export interface NewItem {
  request: BatchRequest
  /** What is known already, of a target that cannot be analysed. */
  outcome?: ItemResult
}

/** Where batches and their results live. Every promise rejects with `BatchStoreError` when the store cannot be asked; a write that resolved survives the death of the process. */
export interface BatchStore {
  /** False, and nothing is written, when the key has {@link MAX_OPEN_BATCHES} unfinished ones. Forgets batches older than {@link KEPT_MS}. */
  insert(batch: NewBatch): Promise<boolean>
  find(id: string): Promise<Batch | undefined>
  /** All items in order, without their results. */
  listItems(id: string): Promise<BatchItem[]>
  /** Results by position, as stored texts. Positions without any are left out. */
  readResults(id: string, positions: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Ids of batches with something left to do, oldest first, at most {@link MAX_LISTED_OPEN}. */
  listOpen(): Promise<string[]>
  /** Counts an attempt at an item, and gives how many there were with this one. */
  beginItem(id: string, position: number): Promise<number>
  finishItem(id: string, position: number, result: ItemResult): Promise<void>
  finish(id: string, at: number): Promise<void>
  setWebhook(id: string, state: WebhookState, attempts: number): Promise<void>
}

/** What one key may have waiting: a thousand targets. */
export const MAX_OPEN_BATCHES = 10

/** Long enough to fetch results after a weekend. */
export const KEPT_MS = 3 * 24 * 3_600_000

/** The rest is found at the next look. */
export const MAX_LISTED_OPEN = 1_000

/** The database did not answer, or answered nonsense. */
export class BatchStoreError extends BaseError {
  override readonly name = 'BatchStoreError'

  constructor(operation: string, cause: unknown) {
    super(`The batch store failed to ${operation}`, {
      cause,
      details: cause instanceof Error ? cause.message : String(cause),
      docs: 'docs/operating.md',
    })
  }
}
