import type { Clock } from '../clock.js'
import { REMEMBERED_BLOCKS, stillThere } from '../watching/followed-chain.js'
import type { ChainPlace, SeenBlock } from '../watching/watch-store.js'
import type { FeedStep, FeedStore } from './feed-store.js'
import type { FindFamiliar, FoundMarkets, MarketSource } from './market-source.js'
import { MAX_LISTED_AT_ONCE, MAX_WAITING, type Omission } from './new-listing.js'

export interface FollowListingsOptions {
  chainId: number
  markets: MarketSource
  store: FeedStore
  holder: string
  clock: Clock
  findFamiliar: FindFamiliar
}

/** Follows the new markets of one chain, a look at a time. */
export interface ListingFollower {
  look(): Promise<void>
  /** Lets another process have the chain at once. */
  release(): Promise<void>
}

/** A process that died is replaced after this long; a living one looks many times as often. */
const LEASE_MS = 6_000
/** What was missed beyond this is no news any more. */
const MAX_MISSED = 1_024n
/** Blocks that cannot be read for so long are left out, or the next ones are late too. */
const STUCK_MS = 60_000

/**
 * Looks which pools the exchanges of a chain made since the last look. Each step is written with
 * what it found, so that it counts once, whichever process takes it; what a step leaves out, it
 * says.
 */
export function createListingFollower(options: FollowListingsOptions): ListingFollower {
  const { chainId, markets, store, holder, clock } = options
  let stuckSince: number | undefined
  let reachedAt: number | undefined

  const advance = (before: ChainPlace, after: ChainPlace, found: Partial<FeedStep> = {}) =>
    store.advance({
      ...{ chainId, holder, before, after, found: [], supplied: new Map(), omissions: [], now: clock.now() },
      ...found,
    })

  /** Goes back to the last block that is still the chain's; what came since is taken back. */
  async function goBack(place: ChainPlace, head: SeenBlock): Promise<void> {
    const kept = await stillThere(markets, place)
    const undoneBeyond = kept.at(-1)?.number ?? -1n
    if (kept.length > 0) return void (await advance(place, kept, { undoneBeyond }))
    // Nothing that was told stands, and what came in the stead of it is not looked at.
    const oldest = place[0]?.number ?? head.number
    const first = oldest <= head.number ? oldest : 0n
    await advance(place, [seen(head)], { undoneBeyond, omissions: [omission(first, head.number, undefined)] })
  }

  /** Rejects where these blocks cannot be read now; says so where that lasts. */
  async function find(place: ChainPlace, from: bigint, last: SeenBlock): Promise<FoundMarkets | 'stuck' | undefined> {
    const waiting = await store.countWaiting(chainId)
    const room = Math.min(MAX_LISTED_AT_ONCE, Math.max(0, MAX_WAITING - waiting))
    const dry = await store.listDry(chainId, clock.now())
    try {
      const found = await markets.find({ from, last, since: (place[0]?.number ?? 0n) + 1n, room, dry })
      stuckSince = undefined
      return found
    } catch (error) {
      stuckSince ??= clock.monotonic()
      if (clock.monotonic() - stuckSince < STUCK_MS) throw error
      return 'stuck'
    }
  }

  /** Whether these blocks were gone through, and that was written. */
  async function step(place: ChainPlace, from: bigint, last: SeenBlock): Promise<boolean> {
    const after = [...place, seen(last)].slice(-REMEMBERED_BLOCKS)
    const seenMarkets = await find(place, from, last)
    // The chain was wound back meanwhile: the next look sees it.
    if (seenMarkets === undefined) return false
    if (seenMarkets === 'stuck') return advance(place, after, { omissions: [omission(from, last.number, undefined)] })
    const { found, supplied, leftOut } = seenMarkets
    const familiar = await options.findFamiliar(found.map(({ token }) => token))
    const now = clock.now()
    const listings = found.map((each) => {
      const familiarity = familiar.has(each.token) ? 1 : 0
      return { ...each, chainId, foundAt: now, familiarity }
    })
    const omissions = leftOut === 0 ? [] : [omission(from, last.number, leftOut)]
    return advance(place, after, { found: listings, supplied, omissions })
  }

  const omission = (fromBlock: bigint, toBlock: bigint, listings: number | undefined): Omission => ({
    ...{ chainId, fromBlock, toBlock, listings, at: clock.now() },
  })

  /** Whether all was gone through up to the head. */
  async function goOn(place: ChainPlace, head: SeenBlock): Promise<boolean> {
    const last = place.at(-1)
    // What was there before the feed was turned on is no news.
    if (last === undefined) return advance(place, [seen(head)])
    if (last.number >= head.number && last.hash === head.hash) return true
    const standing = await markets.standing(last)
    // The head is as far: the node that answered this is behind it, and takes nothing back.
    if (standing === 'unknown' && last.number <= head.number) return false
    if (standing !== 'there') {
      await goBack(place, head)
      return false
    }
    if (last.number >= head.number) return false
    const from = last.number + 1n
    if (head.number > last.number + MAX_MISSED) {
      const missed = omission(from, head.number, undefined)
      return advance(place, [seen(head)], { omissions: [missed] })
    }
    const end = await markets.reach(from, head)
    return end !== undefined && (await step(place, from, end)) && end.number === head.number
  }

  return {
    async look() {
      const place = await store.holdChain(chainId, holder, { now: clock.now(), leaseMs: LEASE_MS, reachedAt })
      if (place === undefined) return
      const head = await markets.newest()
      if (head !== undefined && (await goOn(place, head))) reachedAt = clock.now()
    },
    release: () => store.releaseChain(chainId, holder),
  }
}

const seen = ({ number, hash }: SeenBlock): SeenBlock => ({ number, hash })
