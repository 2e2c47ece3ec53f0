import { buy } from '../../dex/legs.js'
import { createTrader } from '../../simulation/trader.js'
import type { Circumstance, Setting } from './circumstance.js'
import { pass } from './pass.js'

/**
 * Once it has come about, a new wallet buys for as much and sells that: what a purchase notes of
 * its buyer may depend on those before, as a lock that the first ones are spared.
 */
export function asNextBuyer({ random, amount }: Setting, circumstance: Circumstance): Circumstance {
  return {
    ...circumstance,
    key: `next buyer, ${circumstance.key}`,
    enter(sale) {
      const then = circumstance.enter(sale)
      if (then === undefined) return undefined
      const { fork } = then.context
      const context = { ...then.context, trader: createTrader(fork, random, 'next buyer', amount) }
      const { success, tokenDelta: held } = buy(context, amount)
      pass(fork, 0)
      return success && held > 0n ? { ...then, context, held } : undefined
    },
  }
}
