import type { Circumstance, Setting } from './circumstance.js'
import { buyOnce } from './new-wallet.js'

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
      const buyer = then && buyOnce(then.context, random, 'next buyer', amount)
      return buyer && { ...then, ...buyer }
    },
  }
}
