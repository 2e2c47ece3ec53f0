import type { FollowedChain } from '../watching/followed-chain.js'
import type { SeenBlock } from '../watching/watch-store.js'
import type { Listing } from './new-listing.js'

/** A listing as a chain tells of it, before anything is known of the token. */
export type FoundListing = Omit<Listing, 'chainId' | 'foundAt' | 'familiarity'>

/** What came to the markets of a chain over some blocks. */
export interface FoundMarkets {
  found: FoundListing[]
  /** Pools that were given liquidity, with the block that did it. */
  supplied: ReadonlyMap<string, bigint>
  /** How many were left out for want of room; `undefined` where that is not known. */
  leftOut: number | undefined
}

export interface MarketRange {
  from: bigint
  last: SeenBlock
  /** The first block that is followed at all: what came before it is no news. */
  since: bigint
  /** Listings that there is room for. */
  room: number
  /** Pools that wait for their first liquidity. */
  dry: readonly string[]
}

/** The markets of one chain, as the feed follows them. */
export interface MarketSource extends Pick<FollowedChain, 'standing'> {
  newest(): Promise<SeenBlock | undefined>
  /**
   * The last block that one look goes through from `from` on; `undefined` where it cannot be had
   * now.
   */
  reach(from: bigint, head: SeenBlock): Promise<SeenBlock | undefined>
  /**
   * Rejects where these blocks cannot be read now; `undefined` where the chain was wound back
   * meanwhile.
   */
  find(range: MarketRange): Promise<FoundMarkets | undefined>
}

/** Tells tokens of a family that is known, so that they are judged first. Never rejects. */
export type FindFamiliar = (tokens: readonly Listing['token'][]) => Promise<ReadonlySet<Listing['token']>>
