import type { TrustStatus } from '../checks/levels.js'
import type { TokenAddress } from '../solana/token-address.js'
import { StoreError } from '../stores/store-error.js'
import type { Followed, Outcome, Stage } from './outcome.js'

/** How many verdicts came to what. */
export interface OutcomeCount {
  level: TrustStatus
  wasTrap: boolean
  seen: Readonly<Record<Stage, Outcome | 'unknown' | undefined>>
  count: number
}

export interface FollowShares {
  /** Verdicts of the sample that are followed at a time; 0 for none. */
  sample: number
  /** Of the sample in one hour: not all of it is of one moment, and of one caller. */
  sampleOfHour: number
  /** All together, those that are finished as well. */
  all: number
}

/** Keeps verdicts with what came of them. Each method rejects with {@link OutcomeStoreError}. */
export interface OutcomeStore {
  /** Follows a verdict, unless the token has one already, or there is no room. */
  follow(followed: Followed, shares: FollowShares): Promise<boolean>
  find(chainId: number, address: TokenAddress): Promise<Followed | undefined>
  /** Writes what was seen; the token is looked at again at `dueAt`. */
  write(followed: Followed, dueAt: number | undefined): Promise<void>
  /** The verdict that waits longest for a look; no other process gets it for `leaseMs`. */
  claimDue(times: { now: number; leaseMs: number }): Promise<Followed | undefined>
  /** Has one wait that could not be looked at. */
  postpone(followed: Pick<Followed, 'chainId' | 'address'>, dueAt: number): Promise<void>
  count(): Promise<OutcomeCount[]>
  /** Newest first, at most so many. */
  list(limit: number): Promise<Followed[]>
  forgetOld(now: number): Promise<void>
}

/** The record of a verdict is kept so long. */
export const OUTCOME_KEPT_MS = 400 * 24 * 3_600_000

/** The database did not answer, or answered nonsense. */
export class OutcomeStoreError extends StoreError {
  override readonly name = 'OutcomeStoreError'

  constructor(operation: string, cause: unknown) {
    super('store of outcomes', operation, cause)
  }
}
