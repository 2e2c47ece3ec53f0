import { approve, buy, sell, type TradeContext } from '../../dex/legs.js'
import { mark } from '../../simulation/fork-verbs.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createTrader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { largestThatWorks, smallestThatWorks } from '../trade/largest.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { SellFacts } from './honeypot-facts.js'
import { pass } from './pass.js'
import { playSell, toSellFacts } from './play-window.js'
import { measureSizes, type SaleSize } from './sale-sizes.js'

/** What one transaction may move. `undefined` where a trade of a tenth of the pool met no limit. */
export interface TradeLimits {
  /** Wei. */
  maxBuy: bigint | undefined
  /** Base units. */
  maxSell: bigint | undefined
  /**
   * For a large holding: the sell of as little as others can sell. Absent when a lot could be sold,
   * or could not be bought.
   */
  soldFromMuch: SellFacts | undefined
  /**
   * The least sale that costs much more than the usual one, and what it costs. Absent when none
   * does.
   */
  costlySale: { amount: bigint; sold: SellFacts } | undefined
  /** What little and much of a large holding sells for, the smallest first. */
  sizes: readonly SaleSize[]
}

/** Larger trades move the price so far that they are not made. */
const LARGEST_POOL_SHARE = 10n

/**
 * Looks for limits on single trades with a trader who has more money. `works` wei is an amount
 * whose buy and sell are known to go through, at the cost of `usual`.
 */
export function findLimits(context: TradeContext, random: SeededRandom, works: bigint, usual: SellFacts): TradeLimits {
  const most = context.market.depth / LARGEST_POOL_SHARE
  if (most <= works) return NO_LIMITS
  const whale = { ...context, trader: createTrader(context.fork, random, 'whale', most) }
  const canBuy = (amount: bigint) => onBranch(whale, () => buy(whale, amount)).success
  const back = mark(context.fork)
  const whole = buy(whale, most)
  if (!whole.success) back()
  const maxBuy = whole.success ? undefined : largestThatWorks(works, most, canBuy)
  const bought = maxBuy === undefined ? whole : buy(whale, maxBuy)
  const held = bought.tokenDelta
  if (!bought.success || held <= 0n) return { ...NO_LIMITS, maxBuy }
  pass(whale.fork, 0)
  approve(whale, held)
  pass(whale.fork, COOLDOWN_MS)
  const trySell = (amount: bigint) => onBranch(whale, () => toSellFacts(whale, sell(whale, amount)))
  const canSell = (amount: bigint) => trySell(amount).success
  const small = (held * works) / (maxBuy ?? most)
  const found = { ...NO_LIMITS, maxBuy, sizes: measureSizes(whale, held) }
  if (canSell(held)) return { ...found, costlySale: findCostlySale(small, held, usual, trySell) }
  if (small > 0n && canSell(small)) return { ...found, maxSell: largestThatWorks(small, held, canSell) }
  if (small === 0n) return found
  return { ...found, soldFromMuch: onBranch(whale, () => playSell(whale, small)) }
}

function findCostlySale(
  small: bigint,
  most: bigint,
  usual: SellFacts,
  trySell: (amount: bigint) => SellFacts,
): TradeLimits['costlySale'] {
  const isCostly = (amount: bigint) => lossOf(trySell(amount)) >= lossOf(usual) + DIVERGENCE_BPS
  if (small === 0n || !isCostly(most)) return undefined
  const amount = smallestThatWorks(small, most, isCostly)
  return { amount, sold: trySell(amount) }
}

/** Nothing was met. */
export const NO_LIMITS: TradeLimits = {
  maxBuy: undefined,
  maxSell: undefined,
  soldFromMuch: undefined,
  costlySale: undefined,
  sizes: [],
}

/**
 * Long enough for the cooldowns that honest tokens have, so that a limit on amounts is not mistaken
 * for one on time.
 */
const COOLDOWN_MS = 3_600_000
