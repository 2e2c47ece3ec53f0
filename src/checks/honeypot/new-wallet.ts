import { approve, buy, sell, type TradeContext, transfer } from '../../dex/legs.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createStranger, createTrader } from '../../simulation/trader.js'
import { pass } from './pass.js'

/** A wallet that has just bought. */
export interface Buyer {
  context: TradeContext
  held: bigint
}

/** What others do with what they bought. */
export type Traded = 'bought' | 'sold' | 'approved' | 'given'

/** A block passes after the purchase; `undefined` where a new wallet could not buy. */
export function buyOnce(context: TradeContext, random: SeededRandom, name: string, spent: bigint): Buyer | undefined {
  const own = { ...context, trader: createTrader(context.fork, random, name, spent) }
  const { success, tokenDelta: held } = buy(own, spent)
  pass(context.fork, 0)
  return success && held > 0n ? { context: own, held } : undefined
}

/** Whether the wallet could do the rest. */
export function goOn({ context, held }: Buyer, random: SeededRandom, receiver: string, how: Traded): boolean {
  const { fork } = context
  if (how === 'given') return transfer(context, createStranger(fork, random, receiver), held / 2n).success
  const isApproved = approve(context, held)?.success !== false
  pass(fork, 0)
  return isApproved && (how === 'approved' || sell(context, held).success)
}
