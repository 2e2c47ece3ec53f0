import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario, isRemote } from '../../simulation/scenario.js'
import { createTrader } from '../../simulation/trader.js'
import { findMarket } from '../find-market.js'
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
  runsOnNode: true,
  run(fork, input: TradeInput): HoneypotFacts {
    const { target, seed, amount } = input
    const random = createSeededRandom(seed)
    const trader = createTrader(fork, random, 'trader', (amount ?? 0n) + ORDINARY_SAVINGS)
    const kind = classifyTarget(fork, target, trader.address)
    if (kind !== 'token') return { ...NOTHING_TRADED, kind }
    const { market, markets, provided, unknownVenues } = findMarket(fork, input, random)
    if (!market) return { ...NOTHING_TRADED, kind, isStranded: true, unknownVenues }
    const { pool } = market
    return {
      kind,
      market: { venue: pool.venue, pool: pool.address, id: pool.id, quoteReserve: pool.quoteReserve },
      isStranded: false,
      unknownVenues: [],
      provided,
      ...tradeThroughTime({ fork, market, trader }, random, amount ?? tradeAmount(market, random)),
      otherMarkets: isRemote(fork) ? [] : playOtherMarkets({ fork, market, trader }, random, markets),
      engine: fork.engine,
    }
  },
})

/** Wei. Covers the largest amount that is chosen for a pool, several times, and the gas of everything that is tried at every time. */
const ORDINARY_SAVINGS = 10n ** 18n
