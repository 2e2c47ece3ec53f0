import type { Chain } from '../../chains/chain.js'
import type { SaleSize } from '../../checks/honeypot/sale-sizes.js'
import type { OriginReport } from '../../checks/origin/token-origin.js'
import type { MarketFacts, PoolFacts } from '../../checks/trade/describe-markets.js'
import { checksumAddress } from '../../checksum-address.js'
import { COIN_DECIMALS, hasUnits, toPrice } from '../../decimal-text.js'
import { type Address, ZERO_ADDRESS } from '../../hex.js'
import { toSince } from '../fields/block.js'
import type { MarketBody, OriginBody, SaleSizeBody } from './market-schema.js'

/** Of every chain's coin. */

/** `decimals` are what the token says of itself. */
export function toMarket(
  { pools, omitted, depth }: MarketFacts,
  { chain, decimals }: { chain: Chain; decimals: number | undefined },
): MarketBody {
  const listed = pools.map((pool) => toPool(pool, { chain, decimals, all: depth }))
  return {
    priceInNative: listed.find(({ isJudged }) => isJudged)?.priceInNative ?? null,
    depth: String(depth),
    pools: listed,
    omitted,
  }
}

function toPool(
  pool: PoolFacts,
  { chain, decimals, all }: { chain: Chain; decimals: number | undefined; all: bigint },
): MarketBody['pools'][number] {
  const { venue, address, id, quoteReserve, tokenReserve, depth, isJudged } = pool
  const quote = quoteOf(chain, pool.quote)
  const bought = hasUnits(decimals) ? { amount: tokenReserve, decimals } : undefined
  const inUnits = (amount: bigint, of: number) => (bought && toPrice({ amount, decimals: of }, bought)) ?? null
  return {
    ...{ venue, address: checksumAddress(address), poolId: id ?? null, quote },
    ...{ quoteReserve: String(quoteReserve), tokenReserve: String(tokenReserve), depth: String(depth) },
    share: all === 0n ? 0 : Number((depth * 10_000n) / all) / 100,
    price: inUnits(quoteReserve, quote.decimals),
    priceInNative: inUnits(depth, COIN_DECIMALS),
    isJudged,
  }
}

function quoteOf({ nativeSymbol, wrappedNative, watchedTokens }: Chain, quote: Address) {
  if (quote === ZERO_ADDRESS) return { symbol: nativeSymbol, address: null, decimals: COIN_DECIMALS }
  const known = watchedTokens.find(({ address }) => address === quote)
  const wrapped = quote === wrappedNative ? { symbol: `W${nativeSymbol}`, decimals: COIN_DECIMALS } : undefined
  // Pools are looked for against no other token.
  const { symbol, decimals } = known ?? wrapped ?? { symbol: '', decimals: 0 }
  return { symbol, address: checksumAddress(quote), decimals }
}

export function toOrigin({ known, unknown }: OriginReport): OriginBody {
  if (known === undefined) {
    return { creator: null, through: null, isProven: false, block: null, timestamp: null, unknown: unknown ?? null }
  }
  const { creator, through, isProven } = known
  return {
    creator: checksumAddress(creator),
    through: through === undefined ? null : checksumAddress(through),
    isProven,
    block: Number(known.block),
    timestamp: toSince(known)?.timestamp ?? null,
    unknown: null,
  }
}

export const toSaleSize = ({ amount, poolShareBps, success, taxBps, received }: SaleSize): SaleSizeBody => ({
  amount: String(amount),
  poolShare: poolShareBps / 100,
  success,
  tax: !success || taxBps === undefined ? null : Math.round(taxBps) / 100,
  received: String(received),
})
