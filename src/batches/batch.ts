/** Which analyses one target of a batch gets. */
export const BATCH_CHECKS = ['simulate', 'honeypot', 'phishing', 'all'] as const
export type BatchCheck = (typeof BATCH_CHECKS)[number]

/** More than this is several batches. */
export const MAX_TARGETS = 100

/** One target as it was asked for. `body` is what the endpoint of the check would take. */
export interface BatchRequest {
  check: BatchCheck
  body: Readonly<Record<string, unknown>>
}

/**
 * `waiting` until its analysis is stored, whatever happens to processes meanwhile. `failed`: no
 * analysis could be made.
 */
export type ItemState = 'waiting' | 'done' | 'failed'

/** What became of one target: answers or failures by name, as the endpoints give them. */
export interface ItemResult {
  state: Exclude<ItemState, 'waiting'>
  result: Readonly<Record<string, unknown>>
}

export interface Webhook {
  url: string
  /** Key of the signature. Stored as it is: a signature needs it. */
  secret: string
}

/** `none` was asked for; `waiting` for the end of the batch or the next attempt. */
export type WebhookState = 'none' | 'waiting' | 'delivered' | 'failed'

/** Of a finished batch: it was not told yet, is not told any more, or was told. */
export const DELIVERY_STATES = ['waiting', 'failed', 'delivered'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A batch without its items. Times in milliseconds since 1970. */
export interface Batch {
  id: string
  /** Id of the key that pays for it. */
  keyId: string
  createdAt: number
  finishedAt: number | undefined
  webhook: Webhook | undefined
  webhookState: WebhookState
  webhookAttempts: number
  /** Why the last attempt at its webhook failed. */
  webhookFailure?: string | undefined
}

/** A batch by how far its items are. */
export interface BatchSummary extends Record<ItemState, number> {
  batch: Batch
}

export interface BatchItem {
  position: number
  request: BatchRequest
  state: ItemState
  /**
   * Size of the result as text; 0 while there is none, and of an earlier version's as much as an
   * answer holds.
   */
  resultChars: number
}

/** What the service calls a batch; anything else is none, and no store is asked for it. */
export const isBatchId = (text: string): boolean => /^batch_[0-9a-f]{32}$/.test(text)

/**
 * Characters of results in one answer; a single report with its trace can have a million. The first
 * one always fits.
 */
export const MAX_ANSWER_CHARS = 4_000_000
