import type { TokenAddress } from '../solana/token-address.js'
import type { Judgement } from '../watching/watch.js'

/** A token that came to a market: an exchange of the chain's table made a pool of it. */
export interface Listing {
  /** The same for the same token in the same pool, also after a reorganisation. */
  id: string
  chainId: number
  token: TokenAddress
  /** What it is traded for; the zero address is the native coin itself. */
  quote: TokenAddress
  /** The pool's address, or its id where one contract holds all. */
  pool: string
  exchange: string
  /** On Solana the slot, and the hash of the newest one of the look that found it. */
  block: { number: bigint; hash: string }
  /** Of the block, in milliseconds since 1970. */
  blockTime: number
  transaction: string
  foundAt: number
  /** Higher ones are judged first: 1 where tokens of its family were judged before. */
  familiarity: number
}

/**
 * `waiting`: will be judged. `judged`: was, and is again when its first liquidity comes.
 * `unjudged`: no attempt came to a verdict. `undone`: its block is the chain's no more.
 */
export const LISTING_STATES = ['waiting', 'judged', 'unjudged', 'undone'] as const
export type ListingState = (typeof LISTING_STATES)[number]

/** A listing with its place among all that the feed has told, which rises when it changes. */
export interface StoredListing extends Listing {
  place: number
  state: ListingState
  judgement: Judgement | undefined
  judgedAt: number | undefined
  /** As `Judged.liquidity`. */
  liquidity: bigint | undefined
}

/** What the feed left out. */
export interface Omission {
  chainId: number
  fromBlock: bigint
  toBlock: bigint
  /** How many; absent where the blocks were not looked at. */
  listings: number | undefined
  at: number
}

export interface StoredOmission extends Omission {
  place: number
}

/** What is listed of one look, and of one block: a flood costs its maker gas, and us analyses. */
export const MAX_LISTED_AT_ONCE = 32
/** Listings of one chain that wait for their verdict: half a minute's work and more. */
export const MAX_WAITING = 128
/** Of one chain; the oldest are forgotten first. */
export const MAX_KEPT = 5_000
export const KEPT_MS = 7 * 24 * 3_600_000
/** Pools of one chain whose first liquidity is waited for: the newest. */
export const MAX_DRY = 128
/** Most pools that have none after this never have any. */
export const DRY_MS = 24 * 3_600_000
