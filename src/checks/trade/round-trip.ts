import type { TradeContext } from '../../dex/legs.js'
import { mark } from '../../simulation/fork-verbs.js'
import { createSeededRandom, type SeededRandom } from '../../simulation/random.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { createTrader } from '../../simulation/trader.js'
import { boundTraces } from './bound-traces.js'
import { classifyTarget } from './classify-target.js'
import { findMarket } from './find-market.js'
import { nothingHappened, type RoundTripFacts } from './round-trip-facts.js'
import type { TradeInput } from './run-trade-scenario.js'
import { sendNative } from './send-native.js'
import { findSmallerBuy, leastSuitable } from './suitable-amount.js'
import { tradeAmount } from './trade-amount.js'
import { tradeToken } from './trade-token.js'

/**
 * An ordinary trader buys the token with native coin, approves the router for exactly what arrived
 * and sells all of it a block later. A target that is no token is sent a little native coin
 * instead.
 */
export const roundTrip = defineScenario({
  module: import.meta.url,
  name: 'roundTrip',
  isShort: true,
  runsOnNode: true,
  run: (fork: Fork, input: TradeInput) => boundTraces(play(fork, input), input.trace),
})

function play(fork: Fork, input: TradeInput): RoundTripFacts {
  const { address, seed, amount } = input
  const random = createSeededRandom(seed)
  const trader = createTrader(fork, random, 'trader', (amount ?? 0n) + ORDINARY_SAVINGS)
  const kind = classifyTarget(fork, address, trader.address)
  if (kind === 'account') return nothingHappened(kind, fork.chain)
  if (kind === 'contract') return sendNative(fork, trader, address, random)

  const { market, provided, unknownVenues, missingVenues } = findMarket(fork, input, random)
  if (!market) {
    const nothing = nothingHappened(kind, fork.chain)
    return { ...nothing, engine: fork.engine, isStranded: true, unknownVenues, missingVenues }
  }
  const context = { fork, market, trader }
  const simulated = provided ? ', with simulated liquidity' : ''
  const venue = { name: `${market.venue.name}${simulated}`, pool: market.pool.address }
  const where = { venue, provided, engine: fork.engine }
  const leastAmount = amount === undefined ? undefined : leastSuitable(context, random, amount)
  if (leastAmount !== undefined) return { ...nothingHappened(kind, fork.chain), ...where, leastAmount }
  return { ...tradeOrLess(context, random, amount ?? tradeAmount(market, random)), ...where }
}

/** What is more than one purchase may move is tried with less. */
function tradeOrLess(context: TradeContext, random: SeededRandom, amount: bigint): RoundTripFacts {
  const back = mark(context.fork)
  const traded = tradeToken(context, random, amount)
  if (traded.steps[0]?.success !== false) return traded
  back()
  const smaller = findSmallerBuy(context, random, amount)
  return smaller ? { ...tradeToken(context, random, smaller.amount), maxBuy: smaller.most } : traded
}

/** Wei. Covers the largest amount that is chosen for a pool, several times. */
const ORDINARY_SAVINGS = 10n ** 18n
