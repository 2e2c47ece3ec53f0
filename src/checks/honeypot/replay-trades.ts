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
 * told, end before steps that were seen twice would.
 */
export function createReplay(
  random: SeededRandom,
  { address, slot, isKnown }: Motion,
  { how, spent }: { how: Traded; spent: bigint },
): (context: TradeContext, turn: Turn, turns: (word: bigint) => boolean) => boolean {
  return (context, { trades }, turns) => {
    if (isKnown || trades > MOST_REPLAYED) return true
    return onBranch(context, () => {
      for (let i = 0; i < 2 * trades + MORE_TRADES; i += 1) {
        // A trade that fails is no proof that the word does not come.
        if (!tradeOnce(context, random, `replayed ${i}`, { how, spent })) return true
        if (turns(context.fork.evm.storage(address, slot))) return true
      }
      return false
    })
  }
}

/** Whether a new wallet could buy, and do the rest. */
function tradeOnce(
  context: TradeContext,
  random: SeededRandom,
  name: string,
  { how, spent }: { how: Traded; spent: bigint },
): boolean {
  const { fork } = context
  const own = { ...context, trader: createTrader(fork, random, name, spent) }
  const { success, tokenDelta: bought } = buy(own, spent)
  pass(fork, 0)
  if (!success || bought <= 0n) return false
  if (how === 'bought') return true
  if (how === 'given') return transfer(own, createStranger(fork, random, `${name} gives`), bought / 2n).success
  const isApproved = approve(own, bought)?.success !== false
  pass(fork, 0)
  return isApproved && (how === 'approved' || sell(own, bought).success)
}
