import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { createTrader } from '../../simulation/trader.js'
import { findMarket } from '../find-market.js'
import type { TradeInput } from '../run-trade-scenario.js'
import { classifyTarget } from './classify-target.js'
import { nothingHappened, type RoundTripFacts } from './round-trip-facts.js'
import { sendNative } from './send-native.js'
import { tradeAmount } from './trade-amount.js'
import { tradeToken } from './trade-token.js'

/**
 * An ordinary trader buys the token with native coin, approves the router for exactly what arrived and sells all of it a block later.
 * A target that is no token is sent a little native coin instead.
 */
export const roundTrip = defineScenario({
  module: import.meta.url,
  name: 'roundTrip',
  runsOnNode: true,
  run(fork: Fork, input: TradeInput): RoundTripFacts {
    const { target, seed, amount } = input
    const random = createSeededRandom(seed)
    const trader = createTrader(fork, random, 'trader', amount ?? ORDINARY_SAVINGS)
    const kind = classifyTarget(fork, target, trader.address)
    if (kind === 'account') return nothingHappened(kind, fork.chain)
    if (kind === 'contract') return sendNative(fork, trader, target, random)

    const { market, provided, unknownVenues } = findMarket(fork, input, random)
    if (!market) return { ...nothingHappened(kind, fork.chain), engine: fork.engine, isStranded: true, unknownVenues }
    const traded = tradeToken({ fork, market, trader }, random, amount ?? tradeAmount(market, random))
    const venue = traded.venue &&
      provided && { ...traded.venue, name: `${traded.venue.name}, with simulated liquidity` }
    return { ...traded, ...(venue && { venue }), provided, engine: fork.engine }
  },
})

/** Wei. Covers the largest amount that is chosen for a pool, several times. */
const ORDINARY_SAVINGS = 10n ** 18n
