import { createVenues, findMarkets } from '../../dex/venues.js'
import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { createTrader } from '../../simulation/trader.js'
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
  run(fork: Fork, { target, seed, pair, amount }: TradeInput): RoundTripFacts {
    const random = createSeededRandom(seed)
    const trader = createTrader(fork, random, 'trader', amount ?? ORDINARY_SAVINGS)
    const kind = classifyTarget(fork, target, trader.address)
    if (kind === 'account') return nothingHappened(kind, fork.chain)
    if (kind === 'contract') return sendNative(fork, trader, target, random)

    const markets = findMarkets(fork, createVenues(fork.chain), target)
    const market = pair ? markets.find(({ pool }) => pool.address === pair) : markets[0]
    if (!market) return nothingHappened(kind, fork.chain)
    return tradeToken({ fork, market, trader }, random, amount ?? tradeAmount(market, random))
  },
})

/** Wei. Covers the largest amount that is chosen for a pool, several times. */
const ORDINARY_SAVINGS = 10n ** 18n
