import { BaseError } from '../errors.js'

/**
 * The two counters of the specification (section 8): the three analysis prefixes share one,
 * everything else shares the other. `guest`: analyses of those who have neither key nor session.
 */
export type LimitClass = 'analysis' | 'general' | 'guest'

/** Any sliding window of this length holds at most the limit; of any length, by class. */
export const WINDOWS_MS: Readonly<Record<LimitClass, number>> = { analysis: 60_000, general: 60_000, guest: 3_600_000 }

/**
 * What a request is counted for: a key's id, the wallet of a session, an address without either,
 * the network that an address is of, or a guest. Kinds never share room: what costs less cannot
 * shut out what costs more.
 */
export type CallerKind = 'key' | 'session' | 'address' | 'network' | 'guest'

export interface Caller {
  kind: CallerKind
  id: string
}

/** How much of a class one caller may have. */
export interface LimitShare {
  caller: Caller
  /** Requests per window of the class ({@link WINDOWS_MS}). */
  limit: number
}

export interface LimitRequest extends LimitShare {
  limitClass: LimitClass
  /** Wider shares that it has to find room in as well. It counts in all of them or in none. */
  within?: readonly LimitShare[]
}

export const sharesOf = (request: LimitRequest): readonly LimitShare[] => [request, ...(request.within ?? [])]

/** Of the shares of one request: the longest wait, or else the least room. */
export function strictest(decisions: readonly LimitDecision[]): LimitDecision {
  return decisions.reduce((strict, each) => {
    if (strict.allowed !== each.allowed) return strict.allowed ? each : strict
    if (strict.allowed) return each.remaining < strict.remaining ? each : strict
    return each.resetMs > strict.resetMs ? each : strict
  })
}

export interface LimitDecision {
  allowed: boolean
  /** How many more would be allowed now. */
  remaining: number
  /**
   * When the oldest counted request leaves the window. At least 1 when refused: then it is the time
   * to wait.
   */
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
