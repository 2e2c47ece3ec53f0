import type { TradeContext } from '../../dex/legs.js'
import type { Pool } from '../../dex/venue.js'
import type { Market } from '../../dex/venues.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createTrader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { tradeAmount } from '../trade/trade-amount.js'
import type { OtherMarketFacts } from './honeypot-facts.js'
import { pass } from './pass.js'
import { asTrip, playBuy, playSell } from './play-window.js'

/** Further pools that are tried. */
const MAX_OTHERS = 2
/** A pool this much shallower than the deepest is no market: a hundredth. */
const LEAST_SHARE = 100n

/**
 * Buys and sells once in the pools beside the one that is judged: a token may treat each
 * differently. Leaves the fork as it was.
 */
export function playOtherMarkets(
  context: TradeContext,
  random: SeededRandom,
  markets: readonly Market[],
): OtherMarketFacts[] {
  const { market: judged } = context
  return markets
    .filter(({ pool, depth }) => !isSame(pool, judged.pool) && depth >= judged.depth / LEAST_SHARE)
    .slice(0, MAX_OTHERS)
    .map((market, i) =>
      onBranch(context, () => {
        const amount = tradeAmount(market, random)
        const trader = createTrader(context.fork, random, `elsewhere ${i}`, amount)
        const there = { ...context, market, trader }
        const { facts: bought, held, leg } = playBuy(there, amount)
        pass(context.fork, 0)
        const sold = bought.success && held > 0n ? asTrip(playSell(there, held, leg)) : undefined
        return { venue: market.pool.venue, pool: market.pool.address, bought, sold }
      }),
    )
}

/** All pools of Uniswap V4 have one address. */
const isSame = (a: Pool, b: Pool) => a.address === b.address && a.id === b.id
