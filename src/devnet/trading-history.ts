import { parseEther } from 'viem'
import type { Address } from '../hex.js'
import type { Scene, TimelineEvent } from './example.js'
import { approve, type Market, transfer } from './market.js'

export const MINUTE = 60
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * When examples trade, in seconds before the start. Examples share these moments, because each
 * moment costs a block.
 */
export const LAST_WEEK = [5, 4, 3, 2].map((days) => days * DAY)
export const LAST_DAY = [22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2].map((hours) => hours * HOUR)
export const LAST_HOUR = [35, 30, 25, 20, 15, 10, 5].map((minutes) => minutes * MINUTE)
export const LONG_AGO = [50, 48, 46, 43, 40, 35].map((days) => days * DAY)

export interface TradingHistory {
  token: Address
  market: Market
  /** What a coin buys at first, in base units. */
  unitsPerCoin: bigint
  times: readonly number[]
  /**
   * Sells all there is to sell; for tokens that let no other account. The buyers sell if absent.
   */
  onlySeller?: Address
}

/**
 * One purchase per moment, each by another trader; two moments later that trader sells about a
 * quarter of it.
 */
export function tradingHistory(
  { traders }: Scene,
  { token, market, unitsPerCoin, times, onlySeller }: TradingHistory,
): TimelineEvent[] {
  const buyerAt = (index: number) => traders[index % traders.length] ?? token
  const nativeAt = (index: number) => BUYS[index % BUYS.length] ?? 0n
  return times.flatMap((secondsAgo, index) => {
    const buyer = buyerAt(index)
    const events = [market.buy(buyer, token, nativeAt(index)), approve(buyer, token, market.router)]
    const sold = (nativeAt(index - SELL_AFTER) * unitsPerCoin) / (SOLD_PART * COIN)
    if (index >= SELL_AFTER) events.push(market.sell(onlySeller ?? buyerAt(index - SELL_AFTER), token, sold))
    return events.map((transaction) => ({ secondsAgo, transaction }))
  })
}

/** Trades are uneven, as people's are. */
const BUYS = ['0.35', '0.12', '0.8', '0.05', '0.25', '0.6', '0.18'].map((amount) => parseEther(amount))
const SELL_AFTER = 2
/** One of so many: fees and a rising price leave every buyer more than that. */
const SOLD_PART = 4n
const COIN = parseEther('1')

/**
 * People pay each other with a token: what makes it `Very Active` rather than traded now and then.
 * All traders hold some of it.
 */
export function payments({ traders, deployer }: Scene, token: Address, unit: bigint): TimelineEvent[] {
  return LAST_DAY.flatMap((secondsAgo) =>
    traders.slice(0, PAYMENTS_PER_MOMENT).map((payer, i) => {
      const amount = (BigInt(3 + ((secondsAgo / HOUR + i * 7) % 40)) * unit) / 10n
      const payee = traders[i + PAYMENTS_PER_MOMENT] ?? deployer
      return { secondsAgo, transaction: transfer(payer, token, payee, amount) }
    }),
  )
}

/** Ten at each of the 11 moments of the last day make more than 100. */
const PAYMENTS_PER_MOMENT = 10
