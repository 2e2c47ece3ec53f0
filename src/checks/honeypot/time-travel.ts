import { createVenues, findMarkets } from '../../dex/venues.js'
import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario } from '../../simulation/scenario.js'
import { createTrader } from '../../simulation/trader.js'
import type { TradeInput } from '../run-trade-scenario.js'
import { classifyTarget } from '../simulate/classify-target.js'
import { tradeAmount } from '../simulate/trade-amount.js'
import { type HoneypotFacts, NOTHING_TRADED } from './honeypot-facts.js'
import { playOtherMarkets } from './other-markets.js'
import { tradeThroughTime } from './trade-through-time.js'

/**
 * Trades the token now, in 24 hours and in 7 days. In each later window what was bought now is sold, and a fresh purchase too: some traps
 * close on those who hold, others on those who come late.
 */
export const timeTravel = defineScenario({
  module: import.meta.url,
  name: 'timeTravel',
  run(fork, { target, seed, pair, amount }: TradeInput): HoneypotFacts {
    const random = createSeededRandom(seed)
    const trader = createTrader(fork, random, 'trader', amount ?? ORDINARY_SAVINGS)
    const kind = classifyTarget(fork, target, trader.address)
    const markets = kind === 'token' ? findMarkets(fork, createVenues(fork.chain), target) : []
    const market = pair ? markets.find(({ pool }) => pool.address === pair) : markets[0]
    if (!market) return { ...NOTHING_TRADED, kind }
    const { pool } = market
    return {
      kind,
      market: { venue: pool.venue, pool: pool.address, quoteReserve: pool.quoteReserve },
      ...tradeThroughTime({ fork, market, trader }, random, amount ?? tradeAmount(market, random)),
      otherMarkets: playOtherMarkets({ fork, market, trader }, random, markets),
    }
  },
})

/** Wei. Covers the largest amount that is chosen for a pool, several times. */
const ORDINARY_SAVINGS = 10n ** 18n
