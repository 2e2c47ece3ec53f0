import { smallerOf } from '../../bigints.js'
import { dollarsOf, isValuable } from './quote-value.js'
import type { PoolReport } from './solana-report.js'

/** What an ordinary holder has of a young token, and wants back. */
const ORDINARY_DOLLARS = 50
/** Of the worth of such a sale at the price: a market that pays less is none to rely on. */
const LEAST_PAID_PERCENT = 50

/**
 * Why a holder cannot sell an ordinary amount for what it is worth: too little of known worth lies
 * in the pools. Empty where it can be sold. Tokens of unknown worth pay for nothing, however many.
 */
export function whyThin(pools: readonly PoolReport[]): string {
  const [main] = pools
  // What lies on a launch curve is what its buyers paid, and is paid back along the same way.
  if (main === undefined || (main.liquidity.kind === 'curve' && isValuable(main.quoteMint))) return ''
  const dollars = pools.reduce((sum, pool) => sum + (dollarsOf(pool.quoteMint, payableBy(pool)) ?? 0), 0)
  // Reserves whose product stays the same pay this part of what is sold at the price.
  const percent = Math.round((100 * dollars) / (dollars + ORDINARY_DOLLARS))
  if (percent >= LEAST_PAID_PERCENT) return ''
  const worthless = pools.filter(({ quoteMint }) => !isValuable(quoteMint)).map(({ quoteMint }) => quoteMint)
  const others = [...new Set(worthless)].join(', ')
  return `a sale of what is worth ${ORDINARY_DOLLARS} dollars brings about ${percent} % of it${others && `; pools priced in ${others} count for nothing`}`
}

/** What an open pool can pay sellers at about its price. */
function payableBy({ pool, reserves, isQuoteFrozen, quoteMint }: PoolReport): bigint {
  if (pool.status !== 'open' || isQuoteFrozen) return 0n
  const held = reserves.quote ?? 0n
  const { liquidity } = pool
  if (liquidity.kind !== 'positions' || liquidity.atPrice === undefined || !liquidity.sqrtPrice) return held
  // What lies far below the price is paid to those who sell nearly everything.
  const { sqrtPrice, atPrice } = liquidity
  const isSecond = pool.mints[1] === quoteMint
  const atOnce = isSecond ? (atPrice.liquidity * sqrtPrice) >> ROOT_BITS : (atPrice.liquidity << ROOT_BITS) / sqrtPrice
  return smallerOf(atOnce, held)
}

/** Fraction bits of the root of a price. */
const ROOT_BITS = 64n
