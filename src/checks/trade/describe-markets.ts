import type { Market } from '../../dex/venues.js'
import type { Address, Hex } from '../../hex.js'

/** A pool as it stood before anything was traded in it. */
export interface PoolFacts {
  venue: string
  address: Address
  /** Given where one contract holds all pools of its exchange. */
  id: Hex | undefined
  /** The zero address is the native coin itself. */
  quote: Address
  /** Base units that stand behind the price. */
  quoteReserve: bigint
  tokenReserve: bigint
  /** Wei that the quote side is worth. */
  depth: bigint
  isJudged: boolean
}

/** Where a token can be traded for native coin, and how much of its market each place is. */
export interface MarketFacts {
  /** The deepest first, and the judged one in any case. */
  pools: readonly PoolFacts[]
  /** Pools that are not listed. */
  omitted: number
  /** Wei: of all pools together, those that are not listed too. */
  depth: bigint
}

/** What can be looked over; a token may have a pool for each exchange, quote and tier. */
const MAX_POOLS = 12

/** What the search for a market has found, for a reader who wants to know the whole of it. */
export function describeMarkets(judged: Market, markets: readonly Market[]): MarketFacts {
  const first = markets.slice(0, MAX_POOLS)
  const shown = first.includes(judged) ? first : [...first.slice(0, -1), judged]
  return {
    pools: shown.map((market) => toPoolFacts(market, market === judged)),
    omitted: markets.length - shown.length,
    depth: markets.reduce((sum, { depth }) => sum + depth, 0n),
  }
}

function toPoolFacts({ pool, depth }: Market, isJudged: boolean): PoolFacts {
  const { venue, address, id, quote, quoteReserve, tokenReserve } = pool
  return { venue, address, id, quote, quoteReserve, tokenReserve, depth, isJudged }
}
