import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario, isRemote } from '../../simulation/scenario.js'
import { createTrader } from '../../simulation/trader.js'
import { classifyTarget } from '../trade/classify-target.js'
import { describeMarkets } from '../trade/describe-markets.js'
import { findMarket } from '../trade/find-market.js'
import type { TradeInput } from '../trade/run-trade-scenario.js'
import { leastSuitable } from '../trade/suitable-amount.js'
import { tradeAmount } from '../trade/trade-amount.js'
import { type HoneypotFacts, NOTHING_TRADED } from './honeypot-facts.js'
import { playOtherMarkets } from './other-markets.js'
import { createPartialWork } from './partial-work.js'
import { tradeThroughTime } from './trade-through-time.js'

/**
 * Trades the token now, in 24 hours and in 7 days. In each later window what was bought now is
 * sold, and a fresh purchase too: some traps close on those who hold, others on those who come
 * late.
 */
export const timeTravel = defineScenario({
  module: import.meta.url,
  name: 'timeTravel',
  runsOnNode: true,
  run(fork, input: TradeInput & { onlyWindows?: true }): HoneypotFacts {
    const { address, seed, amount, onlyWindows } = input
    const random = createSeededRandom(seed)
    const trader = createTrader(fork, random, 'trader', (amount ?? 0n) + ORDINARY_SAVINGS)
    const kind = classifyTarget(fork, address, trader.address)
    if (kind !== 'token') return { ...NOTHING_TRADED, kind }
    const { market, markets, isOther, provided, unknownVenues, missingVenues } = findMarket(fork, input, random)
    if (!market) return { ...NOTHING_TRADED, kind, isStranded: true, unknownVenues, missingVenues }
    const { venue, address: pool, id, quoteReserve } = market.pool
    const described = provided ? undefined : describeMarkets(market, markets)
    const judged = { venue, pool, id, quoteReserve }
    const where = {
      ...{ kind, market: judged, markets: described, missingVenues, isOtherPool: isOther },
      ...{ provided, engine: fork.engine },
    }
    const context = { fork, market, trader }
    const leastAmount = amount === undefined ? undefined : leastSuitable(context, random, amount)
    if (leastAmount !== undefined) return { ...NOTHING_TRADED, ...where, leastAmount }
    const work = createPartialWork()
    const traded = tradeThroughTime(context, random, amount ?? tradeAmount(market, random), { work, onlyWindows })
    const playOthers = () => playOtherMarkets(context, random, markets)
    const otherMarkets = isRemote(fork) || onlyWindows ? [] : (work.play('circumstances', playOthers) ?? [])
    return { ...NOTHING_TRADED, ...where, ...traded, otherMarkets, unfinished: work.unfinished() }
  },
})

/**
 * Wei. Covers the largest amount that is chosen for a pool, several times, and the gas of
 * everything that is tried at every time.
 */
const ORDINARY_SAVINGS = 10n ** 18n
