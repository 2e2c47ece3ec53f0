import { approve, buy, sell, type TradeContext, transfer } from '../../dex/legs.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createStranger, createTrader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import type { Motion, Turn } from './motions.js'
import { pass } from './pass.js'

/** What others do with what they bought. */
export type Traded = 'bought' | 'sold' | 'approved' | 'given'

/** Turns that take more trades are believed. */
const MOST_REPLAYED = 40
/** Others had traded when the word was seen to move, and some trades move it less than others. */
const MORE_TRADES = 8

/**
 * Whether trades of others bring a word where it was set: tables, and rings whose formula is not
 * told, end before steps that were seen twice would. All buy before any of them goes on, so that
 * what purchases take back does not hide where sales alone lead.
 */
export function createReplay(
  random: SeededRandom,
  { address, slot, isKnown }: Motion,
  { how, spent }: { how: Traded; spent: bigint },
): (context: TradeContext, turn: Turn, turns: (word: bigint) => boolean) => boolean {
  return (context, { trades }, turns) => {
    if (isKnown || trades > MOST_REPLAYED) return true
    const hasTurned = () => turns(context.fork.evm.storage(address, slot))
    return onBranch(context, () => {
      const buyers: Buyer[] = []
      for (let i = 0; i < 2 * trades + MORE_TRADES; i += 1) {
        const buyer = buyOnce(context, random, `replayed ${i}`, spent)
        // A trade that fails is no proof that the word does not come.
        if (buyer === undefined || hasTurned()) return true
        buyers.push(buyer)
      }
      if (how === 'bought') return false
      return buyers.some((buyer, i) => !goOn(buyer, random, `receiver ${i}`, how) || hasTurned())
    })
  }
}

interface Buyer {
  context: TradeContext
  held: bigint
}

/** `undefined` where a new wallet could not buy. */
function buyOnce(context: TradeContext, random: SeededRandom, name: string, spent: bigint): Buyer | undefined {
  const own = { ...context, trader: createTrader(context.fork, random, name, spent) }
  const { success, tokenDelta: held } = buy(own, spent)
  pass(context.fork, 0)
  return success && held > 0n ? { context: own, held } : undefined
}

/** Whether the wallet could do the rest. */
function goOn({ context, held }: Buyer, random: SeededRandom, receiver: string, how: Traded): boolean {
  const { fork } = context
  if (how === 'given') return transfer(context, createStranger(fork, random, receiver), held / 2n).success
  const isApproved = approve(context, held)?.success !== false
  pass(fork, 0)
  return isApproved && (how === 'approved' || sell(context, held).success)
}
