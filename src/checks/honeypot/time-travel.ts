import { type TradeContext, transfer } from '../../dex/legs.js'
import { createVenues, findMarkets } from '../../dex/venues.js'
import { createSeededRandom, type SeededRandom } from '../../simulation/random.js'
import { defineScenario } from '../../simulation/scenario.js'
import { createStranger, createTrader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import type { TradeInput } from '../run-trade-scenario.js'
import { classifyTarget } from '../simulate/classify-target.js'
import { failureReason } from '../simulate/failure-reason.js'
import { tradeAmount } from '../simulate/trade-amount.js'
import { type HoneypotFacts, NOTHING_TRADED, type WindowFacts } from './honeypot-facts.js'
import { findLimits } from './limits.js'
import { pass } from './pass.js'
import { playBuy, playSell } from './play-window.js'
import { playProbes } from './probes.js'
import { WINDOWS } from './windows.js'

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
    }
  },
})

/** Wei. Covers the largest amount that is chosen for a pool, several times. */
const ORDINARY_SAVINGS = 10n ** 18n

type Traded = Omit<HoneypotFacts, 'kind' | 'market'>

function tradeThroughTime(context: TradeContext, random: SeededRandom, amount: bigint): Traded {
  // Branches nest like calls: whoever comes late starts from a world in which the holder has not bought yet.
  const late = WINDOWS.map(({ afterMs }) =>
    afterMs === 0 ? undefined : onBranch(context, () => buyAndSell(context, amount, afterMs)),
  )
  const first = playBuy(context, amount)
  const { held } = first
  if (!first.facts.success || held <= 0n) {
    return {
      ...NOTHING_TRADED,
      windows: WINDOWS.map(({ label }, i) => ({ label, ...NOT_HELD, bought: first.facts, ...late[i] })),
    }
  }
  const gift = onBranch(context, () => transfer(context, createStranger(context.fork, random, 'friend'), held))
  const windows = WINDOWS.map(({ label, afterMs }, i): WindowFacts => {
    const sold = onBranch(context, () => {
      pass(context.fork, afterMs)
      return playSell(context, held)
    })
    const fresh = late[i]
    return fresh
      ? { label, ...fresh, soldHeld: sold }
      : { label, bought: first.facts, soldFresh: sold, soldHeld: undefined }
  })
  const sells = windows[0]?.soldFresh?.success === true
  const probes = sells
    ? onBranch(context, () => {
        pass(context.fork, 0)
        return playProbes(context, random, held, amount)
      })
    : []
  const limits = sells ? onBranch(context, () => findLimits(context, random, amount)) : NO_LIMITS
  return {
    windows,
    probes,
    ...limits,
    transferTaxBps: gift.taxBps,
    transferErrorReason: gift.success ? '' : failureReason(gift.sent.call, context.market.pool.token),
  }
}

const NO_LIMITS = { maxBuy: undefined, maxSell: undefined }

const NOT_HELD = { soldFresh: undefined, soldHeld: undefined }

function buyAndSell(context: TradeContext, amount: bigint, afterMs: number): Pick<WindowFacts, 'bought' | 'soldFresh'> {
  pass(context.fork, afterMs)
  const { facts, held } = playBuy(context, amount)
  if (!facts.success || held <= 0n) return { bought: facts, soldFresh: undefined }
  pass(context.fork, 0)
  return { bought: facts, soldFresh: playSell(context, held) }
}
