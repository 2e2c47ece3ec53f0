import type { TrustStatus } from '../checks/levels.js'
import type { Move } from '../watching/chain-places.js'
import type { Judgement } from '../watching/watch.js'
import type { ChainPlace, FollowedPlace, HoldTimes } from '../watching/watch-store.js'
import type { Listing, Omission, StoredListing, StoredOmission } from './new-listing.js'

/** One step along a chain, with what it found. */
export interface FeedStep extends Move {
  found: readonly Listing[]
  /** Pools that were given liquidity, with the block that did it. */
  supplied: ReadonlyMap<string, bigint>
  omissions: readonly Omission[]
  /** Blocks beyond this one are the chain's no more. */
  undoneBeyond?: bigint
  now: number
}

/** A listing that is to be judged. */
export interface ClaimedListing extends StoredListing {
  failures: number
}

export interface ListingVerdict {
  judgement: Judgement
  liquidity: bigint | undefined
  judgedAt: number
}

/** Which listings are asked for; those that are not judged yet have no level and no liquidity. */
export interface ListingFilter {
  chainId?: number
  levels?: readonly TrustStatus[]
  /** As `Judged.liquidity`. */
  leastLiquidity?: bigint
}

/** What changed after a place, in its order. */
export type FeedChange = { listing: StoredListing } | { omission: StoredOmission }

/**
 * Where the feed of new markets lives. A step along a chain is written with all that it found, so
 * that it counts once. Rejects with `WatchStoreError` when the store cannot be asked.
 */
export interface FeedStore {
  /** As `WatchStore.holdChain`, of the feed. */
  holdChain(chainId: number, holder: string, times: HoldTimes): Promise<ChainPlace | undefined>
  /** As `WatchStore.readFollowed`, of the feed. */
  readFollowed(chainId: number): Promise<FollowedPlace | undefined>
  releaseChain(chainId: number, holder: string): Promise<void>
  /** Whether the step was written: not where another process has moved on, or has the chain. */
  advance(step: FeedStep): Promise<boolean>
  countWaiting(chainId: number): Promise<number>
  /** Pools whose first liquidity is waited for, the newest first. */
  listDry(chainId: number, now: number): Promise<string[]>
  /**
   * The most familiar one that waits, and of those the first; no other process gets it for
   * `leaseMs`.
   */
  claimDue(chainIds: readonly number[], times: { now: number; leaseMs: number }): Promise<ClaimedListing | undefined>
  /** Writes the verdict on a token to all its listings that the verdict has seen. */
  settle(listing: ClaimedListing, verdict: ListingVerdict): Promise<void>
  /** Has a listing that could not be judged wait; without a time it is given up. */
  postpone(listing: ClaimedListing, dueAt: number | undefined): Promise<void>
  /** The newest first, without those that were undone. */
  listNewest(filter: ListingFilter, limit: number): Promise<StoredListing[]>
  /** What changed after a place, oldest first. */
  listChanges(filter: ListingFilter, from: { after: number; limit: number }): Promise<FeedChange[]>
  /** The newest first. */
  listOmissions(filter: Pick<ListingFilter, 'chainId'>, limit: number): Promise<StoredOmission[]>
  newestPlace(): Promise<number>
  forgetOld(chainIds: readonly number[], now: number): Promise<void>
}
