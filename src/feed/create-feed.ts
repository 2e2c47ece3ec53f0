import type { Clock } from '../clock.js'
import { createLoopRunner } from '../scheduling/run-loops.js'
import { type Following, followingOf } from '../watching/following.js'
import type { FeedChange, FeedStore, ListingFilter } from './feed-store.js'
import type { ListingFollower } from './follow-listings.js'
import type { StoredListing, StoredOmission } from './new-listing.js'

/** What is shown of the feed at once. */
export interface FeedPage {
  listings: StoredListing[]
  omissions: StoredOmission[]
  /** Whatever changes from now on comes after it. */
  place: number
}

/** New markets, and the verdicts on their tokens. */
export interface Feed {
  /** Ids of the chains that are followed. */
  readonly chainIds: readonly number[]
  listNewest(filter: ListingFilter, limit: number): Promise<FeedPage>
  listChanges(filter: ListingFilter, from: { after: number; limit: number }): Promise<FeedChange[]>
  newestPlace(): Promise<number>
  /** How far each chain was followed; absent where its newest block was not reached yet. */
  listFollowed(): Promise<ReadonlyMap<number, Following>>
  start(): void
  close(): Promise<void>
}

export interface FeedOptions {
  store: FeedStore
  clock: Clock
  chainIds: readonly number[]
  follow(chainId: number): ListingFollower
  judgeListing(signal: AbortSignal): Promise<boolean>
  /** Makes ready what a judgement needs. Never rejects. */
  warmUp(signal: AbortSignal): Promise<void>
  onFailure(error: unknown): void
}

/** How often each chain is looked at. */
const LOOK_MS = 1_000
/** Tokens that one process judges at the same time. */
const PARALLEL_JUDGING = 2
const IDLE_MS = 250
const FORGET_MS = 60_000
/** Omissions that are shown at once. */
const MAX_OMISSIONS_SHOWN = 20

/** The feed of new markets on the chains that the operator names; none costs nothing. */
export function createFeed(options: FeedOptions): Feed {
  const { store, clock, chainIds, onFailure } = options
  const runner = createLoopRunner(onFailure)
  const followers = chainIds.map((id) => options.follow(id))
  let warming = Promise.resolve()

  return {
    chainIds,
    async listNewest(filter, limit) {
      // Read first: a change that comes between is told again, and none is passed over.
      const place = await store.newestPlace()
      const omissions = await store.listOmissions(filter, MAX_OMISSIONS_SHOWN)
      return { listings: await store.listNewest(filter, limit), omissions, place }
    },
    listChanges: (filter, from) => store.listChanges(filter, from),
    newestPlace: () => store.newestPlace(),
    async listFollowed() {
      const places = await Promise.all(chainIds.map(async (id) => [id, await store.readFollowed(id)] as const))
      return new Map(
        places.flatMap(([id, place]) => (place === undefined ? [] : [[id, followingOf(place, clock.now())]])),
      )
    },
    start() {
      if (chainIds.length === 0) return
      warming = options.warmUp(runner.signal)
      const judge = () => options.judgeListing(runner.signal)
      runner.start([
        // A chain whose nodes are late keeps no other waiting.
        ...followers.map((follower) => [() => follower.look(), LOOK_MS] as const),
        ...Array.from({ length: PARALLEL_JUDGING }, () => [judge, IDLE_MS] as const),
        [() => store.forgetOld(chainIds, clock.now()), FORGET_MS],
      ])
    },
    close: () =>
      runner.close(async (isStarted) => {
        await warming
        if (isStarted) await Promise.all(followers.map((follower) => follower.release().catch(onFailure)))
      }),
  }
}
