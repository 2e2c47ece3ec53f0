import type { Honeypot, Reports, SolanaReport } from '../api/reports.js'
import { formatAmount, formatCoins, shorten } from '../format.js'
import { formatPrice } from './price.js'

/** Where a token is traded, in words: the same for chains of every kind. */
export interface MarketView {
  /** What one token costs where it was traded; `undefined` where that is not known. */
  price?: string
  /** What stands behind its price, by what it is priced in. */
  depth: readonly string[]
  /** The deepest first. */
  pools: readonly PoolView[]
  omitted: number
  /** Of the pool that was judged, ISO 8601, and the block where there is one. */
  since?: { timestamp: string | null; block?: number }
  /** What the number beside a time counts. */
  unit: 'block' | 'slot'
}

export interface PoolView {
  venue: string
  /** Its address, or its number. */
  place: string
  price?: string
  /** With all its digits. */
  exactPrice?: string
  /** What sellers are paid from. */
  reserve?: string
  /** Percent of the depth of all; only where all are priced in the same. */
  share?: number
  /** Percent of its liquidity that cannot be taken out. */
  locked?: number
  /** Why it is not traded in. */
  closed?: string
  isJudged: boolean
  positions: readonly { share: number; owner: string | null; leaves: string }[]
}

type TokenInfo = NonNullable<SolanaReport['tokenInfo']>
type SolanaPool = TokenInfo['pools'][number]
type Quote = SolanaPool['quote']
type Pool = NonNullable<Honeypot['market']>['pools'][number]

/** The answer of Solana, where it is one. */
const solanaOf = ({ others }: Pick<Reports, 'others'>) => others.solana as SolanaReport | undefined

/** The market of a report; `undefined` where none was found, or no answer says. */
export function readMarket(reports: Reports, coin: string): MarketView | undefined {
  const solana = solanaOf(reports)
  if (solana) return solana.tokenInfo ? ofSolana(solana.tokenInfo, solana.honeypotResponse.pair) : undefined
  const trade = reports.honeypot?.honeypotResponse
  return trade?.market ? ofEvm(trade.market, trade.liquidity, coin) : undefined
}

function ofEvm(
  { pools, omitted, depth }: NonNullable<Honeypot['market']>,
  liquidity: Honeypot['liquidity'],
  coin: string,
): MarketView {
  const judged = pools.find(({ isJudged }) => isJudged)
  return {
    ...(judged?.priceInNative && { price: inBoth(judged, coin) }),
    depth: [`${formatCoins(BigInt(depth))} ${coin}`],
    pools: pools.map((pool) => ({
      venue: pool.venue,
      place: pool.poolId ?? pool.address,
      ...(pool.price !== null && { price: `${formatPrice(pool.price)} ${pool.quote.symbol}`, exactPrice: pool.price }),
      reserve: `${formatAmount(BigInt(pool.quoteReserve), pool.quote.decimals)} ${pool.quote.symbol}`,
      share: pool.share,
      isJudged: pool.isJudged,
      positions: [],
    })),
    omitted,
    ...(liquidity?.since && { since: liquidity.since }),
    unit: 'block',
  }
}

/** In the native coin, and in what the pool has, where that is another. */
function inBoth({ price, priceInNative, quote }: Pool, coin: string): string {
  const native = `${formatPrice(priceInNative ?? '0')} ${coin}`
  return price === priceInNative || price === null ? native : `${native} · ${formatPrice(price)} ${quote.symbol}`
}

function ofSolana({ market, pools }: TokenInfo, judged: string | null): MarketView | undefined {
  if (market === null) return undefined
  const [only, ...others] = market.depth
  return {
    ...(market.price !== null && { price: priceIn(market.price, market.quote) }),
    depth: market.depth.flatMap(({ amount, ...quote }) => amountOf(amount, quote) ?? []),
    pools: pools.map((pool) => ofSolanaPool(pool, judged, others.length === 0 ? only?.amount : undefined)),
    omitted: 0,
    ...(market.since !== null && { since: { timestamp: market.since } }),
    unit: 'slot',
  }
}

function ofSolanaPool(pool: SolanaPool, judged: string | null, depth: string | undefined): PoolView {
  const { venue, address, price, quote, quoteReserve, lockedPercent, status, positions } = pool
  const reserve = quoteReserve === null ? undefined : amountOf(quoteReserve, quote)
  const share = depth === undefined || quoteReserve === null ? undefined : shareOf(BigInt(quoteReserve), BigInt(depth))
  return {
    venue,
    place: address,
    ...(price !== null && { price: priceIn(price, quote), exactPrice: price }),
    ...(reserve !== undefined && { reserve }),
    ...(share !== undefined && { share }),
    ...(lockedPercent !== null && { locked: lockedPercent }),
    ...(status !== 'open' && { closed: STATUS_WORDS[status] }),
    isJudged: address === judged,
    positions: positions.map(({ percent, owner, hold }) => ({ share: percent, owner, leaves: HOLD_WORDS[hold] })),
  }
}

const STATUS_WORDS: Readonly<Record<Exclude<SolanaPool['status'], 'open'>, string>> = {
  closed: 'closed',
  'not-open-yet': 'not open yet',
  complete: 'sold out',
}

const HOLD_WORDS: Readonly<Record<SolanaPool['positions'][number]['hold'], string>> = {
  free: 'at once',
  locked: 'not now',
  unknown: 'not known',
}

const priceIn = (price: string, quote: Quote) => `${formatPrice(price)} ${nameOf(quote)}`
const nameOf = ({ symbol, address }: Quote) => symbol || shorten(address)

/** Without decimals an amount says nothing. */
const amountOf = (units: string, quote: Quote) =>
  quote.decimals === null ? undefined : `${formatAmount(BigInt(units), quote.decimals)} ${nameOf(quote)}`

/** To a hundredth of a percent. */
const shareOf = (part: bigint, whole: bigint) => (whole === 0n ? undefined : Number((part * 10_000n) / whole) / 100)
