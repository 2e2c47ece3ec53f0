import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import { type ConcurrencyLimit, QueueFullError } from '../scheduling/concurrency-limit.js'
import { type Judges, judge, pauseAfter } from '../watching/judge-token.js'
import type { FeedStore } from './feed-store.js'

export interface JudgeListingOptions {
  judges: Judges
  store: FeedStore
  slots: ConcurrencyLimit
  clock: Clock
  onFailure(error: unknown): void
}

/** A verdict takes seconds at the worst; a process that died is replaced after this. */
const LEASE_MS = 60_000
/** Attempts; what has no verdict after ten minutes is no news. */
const MAX_ATTEMPTS = 5
/** Until a node is asked again that has not seen the pool's block; each time four times as long. */
const behindMs = (failures: number): number => 500 * 4 ** failures
/** All judging of new tokens takes turns with callers as one of them. */
const CALLER = 'feed'

/**
 * Judges the token whose turn it is. Answers whether there was one. A verdict that did not finish
 * is none; it is tried again, and given up after some attempts.
 */
export function createJudgeListing(options: JudgeListingOptions): (signal: AbortSignal) => Promise<boolean> {
  const { store, clock, judges, onFailure } = options
  const ids = [...judges.keys()]
  return async (signal) => {
    const listing = await store.claimDue(ids, { now: clock.now(), leaseMs: LEASE_MS })
    if (listing === undefined) return false
    const { chainId, token: address, failures } = listing
    try {
      const { judgement, liquidity } = await judge(options, { chainId, address, caller: CALLER, failures }, signal)
      if (judgement.block.number < listing.block.number) throw new VerdictTooOldError()
      await store.settle(listing, { judgement, liquidity, judgedAt: clock.now() })
    } catch (error) {
      if (!signal.aborted && !(error instanceof QueueFullError)) onFailure(error)
      const pause = error instanceof VerdictTooOldError ? behindMs(failures) : pauseAfter(failures)
      const isLast = !signal.aborted && failures + 1 >= MAX_ATTEMPTS
      // What our own stopping cut short waits for nothing.
      await store.postpone(listing, isLast ? undefined : clock.now() + (signal.aborted ? 0 : pause))
    }
    return true
  }
}

/** The node that was asked has not seen the block yet that the pool came in. */
class VerdictTooOldError extends BaseError {
  override readonly name = 'VerdictTooOldError'

  constructor() {
    super('The verdict on a new token was made at an older block')
  }
}
