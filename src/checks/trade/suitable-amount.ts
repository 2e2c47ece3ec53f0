import { largerOf, smallerOf } from '../../bigints.js'
import { approve, buy, type Leg, sell, type TradeContext } from '../../dex/legs.js'
import type { Market } from '../../dex/venues.js'
import { nextBlock } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import { isRemote } from '../../simulation/scenario.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { onBranch } from '../on-branch.js'
import { blockingFrame } from './failure-reason.js'
import { largestThatWorks, smallestThatWorks } from './largest.js'
import { ranDry } from './patient-sell.js'
import { tradeAmount } from './trade-amount.js'

/**
 * Units at the coarsest place of a trade from which on rounding looks like no tax, even where a
 * hundredth is sold.
 */
const FINE_UNITS = 10_000n
/** Prices are rounded down after the fee: an owed amount of so many units pays one at least. */
const PAID_UNITS = 2n

/**
 * The least amount (wei) with which the token can be judged, where a purchase for `wanted` says
 * nothing about it: the pool pays nothing for so little, or so few units that rounding looks like
 * tax. `undefined` where it says enough, or where no usual amount says more. What the token's own
 * code refuses is never laid on the amount.
 */
export function leastSuitable(context: TradeContext, random: SeededRandom, wanted: bigint): bigint | undefined {
  const { market, fork } = context
  const usual = tradeAmount(market, random)
  if (wanted >= usual || isRemote(fork)) return undefined
  const fine = smallerOf(unitsOf(market, usual), FINE_UNITS)
  const suits = (amount: bigint) => onBranch(context, () => saysEnough(context, amount, fine))
  if (unitsOf(market, wanted) >= fine || suits(wanted) || !suits(usual)) return undefined
  return smallestThatWorks(wanted, usual, suits)
}

function saysEnough(context: TradeContext, amount: bigint, fine: bigint): boolean {
  const { fork, market } = context
  const bought = buy(context, amount)
  const held = bought.tokenDelta
  if (!bought.success || held <= 0n) return isOfToken(context, bought) || unitsBought(market, amount) >= PAID_UNITS
  if (approve(context, held)?.success === false) return true
  fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
  const sold = sell(context, held)
  if (!sold.success || sold.taxBps === undefined)
    return isOfToken(context, sold) || unitsPaid(market, held) >= PAID_UNITS
  return unitsOf(market, amount) >= fine
}

/** Whether the failure began in the token's code. */
function isOfToken(context: TradeContext, { sent }: Leg): boolean {
  const frame = blockingFrame(sent.call)
  return frame?.to !== undefined && isCodeOfToken(context)(frame.to)
}

/** The fewest units that a purchase and its sale come to anywhere on the way. */
const unitsOf = (market: Market, amount: bigint) => smallerOf(amount, unitsBought(market, amount))

/**
 * Units that a purchase is owed at the pools' prices: of the token, or of what lies between where
 * those are fewer.
 */
function unitsBought({ pool, via }: Market, amount: bigint): bigint {
  const quote = via ? (amount * via.tokenReserve) / via.quoteReserve : amount
  return smallerOf(quote, (quote * pool.tokenReserve) / pool.quoteReserve)
}

/** Units that a sale of so many tokens is owed. */
function unitsPaid({ pool, via }: Market, tokens: bigint): bigint {
  const quote = (tokens * pool.quoteReserve) / pool.tokenReserve
  return via ? smallerOf(quote, (quote * via.quoteReserve) / via.tokenReserve) : quote
}

/** Said where nothing was traded, because the wanted amount was too small. */
export const sayTooLittle = (least: bigint) =>
  `The token cannot be judged with this amount: the pool pays nothing, or next to nothing, for so little; the least that it can be judged with is about ${least} wei`

/**
 * What is tried where more cannot be bought at once: shares of the usual amount, one part in so
 * many.
 */
const SMALLER = [1n, 10n, 100n, 1_000n]
/** Of the most that one purchase takes, what is bought: the price moves. Percent. */
const MARGIN = 80n

/** A purchase that works where a larger one was refused. Wei. */
export interface SmallerBuy {
  amount: bigint
  /** The most that one purchase takes, within half a percent. */
  most: bigint
}

/**
 * Looks for less that can be bought, where `refused` is more than the token, or the pool, lets one
 * purchase move. `undefined` where it cannot be bought at all.
 */
export function findSmallerBuy(context: TradeContext, random: SeededRandom, refused: bigint): SmallerBuy | undefined {
  if (isRemote(context.fork)) return undefined
  const tryBuy = (amount: bigint) => onBranch(context, () => buy(context, amount))
  const usual = tradeAmount(context.market, random)
  const tried = SMALLER.map((part) => usual / part).filter((amount) => amount < refused)
  const works = firstThat(tried, tryBuy)
  if (works === undefined) return undefined
  const canBuy = (amount: bigint) => delivers(tryBuy(amount))
  const most = largestThatWorks(works, refused, canBuy)
  const amount = (most * MARGIN) / 100n
  return { amount: largerOf(amount, works), most }
}

const delivers = ({ success, tokenDelta }: Leg) => success && tokenDelta > 0n

/** Work without end is met once. */
function firstThat(amounts: readonly bigint[], tryBuy: (amount: bigint) => Leg): bigint | undefined {
  for (const amount of amounts) {
    const bought = tryBuy(amount)
    if (delivers(bought)) return amount
    if (ranDry(bought)) return undefined
  }
  return undefined
}
