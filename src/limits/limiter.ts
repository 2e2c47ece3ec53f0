import { BaseError } from '../errors.js'

/** The two counters of the specification (section 8): the three analysis prefixes share one, everything else shares the other. */
export type LimitClass = 'analysis' | 'general'

/** Any sliding window of this length holds at most the limit. */
export const WINDOW_MS = 60_000

/** Whom a request is counted for: a key's id, or the address of somebody without a valid key. */
export interface Caller {
  kind: 'key' | 'address'
  id: string
}

export interface LimitRequest {
  caller: Caller
  limitClass: LimitClass
  /** Requests per {@link WINDOW_MS}. */
  limit: number
}

export interface LimitDecision {
  allowed: boolean
  /** How many more would be allowed now. */
  remaining: number
  /** When the oldest counted request leaves the window. At least 1 when refused: then it is the time to wait. */
  resetMs: number
}

/** Counts requests in a sliding window. A refused request does not count. */
export interface Limiter {
  take(request: LimitRequest): Promise<LimitDecision>
  close(): Promise<void>
}

/** The shared counter did not answer. Nothing is known about the caller. */
export class LimiterStoreError extends BaseError {
  override readonly name = 'LimiterStoreError'

  constructor(cause: unknown) {
    super('The limiter store did not answer', { cause, docs: 'docs/operating.md' })
  }
}
