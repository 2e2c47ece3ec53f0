import { parseEther } from 'viem'
import type { Address } from '../hex.js'
import type { Scene, TimelineEvent } from './example.js'
import { approve, type Market } from './market.js'

export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * When examples trade, in seconds before the start. Examples share these moments, because each moment costs a block.
 */
export const LAST_WEEK = [5, 4, 3, 2].map((days) => days * DAY)
export const LAST_DAY = [22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2].map((hours) => hours * HOUR)
export const LAST_HOUR = [35, 30, 25, 20, 15, 10, 5].map((minutes) => minutes * MINUTE)
export const LONG_AGO = [50, 48, 46, 43, 40, 35].map((days) => days * DAY)

/** A pool begins with these, so that a coin buys about 20,000 tokens. */
export const LISTED_WHOLE_TOKENS = 800_000n
export const LISTED_NATIVE = parseEther('40')

export interface TradingHistory {
  token: Address
  market: Market
  /** Base units of one token. */
  unit: bigint
  times: readonly number[]
  /** Sells all there is to sell; for tokens that let nobody else. The buyers sell if absent. */
  onlySeller?: Address
}

/** One purchase per moment, each by another trader; two moments later that trader sells about a third of it. */
export function tradingHistory(
  { traders }: Scene,
  { token, market, unit, times, onlySeller }: TradingHistory,
): TimelineEvent[] {
  const buyerAt = (index: number) => traders[index % traders.length] ?? token
  const nativeAt = (index: number) => BUYS[index % BUYS.length] ?? LISTED_NATIVE
  return times.flatMap((secondsAgo, index) => {
    const buyer = buyerAt(index)
    const events = [market.buy(buyer, token, nativeAt(index)), approve(buyer, token, market.router)]
    const sold = (nativeAt(index - SELL_AFTER) * TOKENS_PER_COIN * unit) / (3n * COIN)
    if (index >= SELL_AFTER) events.push(market.sell(onlySeller ?? buyerAt(index - SELL_AFTER), token, sold))
    return events.map((transaction) => ({ secondsAgo, transaction }))
  })
}

/** Trades are uneven, as people's are. */
const BUYS = ['0.35', '0.12', '0.8', '0.05', '0.25', '0.6', '0.18'].map((amount) => parseEther(amount))
const SELL_AFTER = 2
const COIN = parseEther('1')
/** Below what any example gives for a coin after its fee and the price's moves. */
const TOKENS_PER_COIN = 16_000n
