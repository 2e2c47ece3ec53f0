import type { TradeContext } from '../../dex/legs.js'
import type { SeededRandom } from '../../simulation/random.js'
import { onBranch } from '../on-branch.js'
import type { Motion, Turn } from './motions.js'
import { type Buyer, buyOnce, goOn, type Traded } from './new-wallet.js'

/** Turns that take more trades are believed. */
const MOST_REPLAYED = 40
/** Others had traded when the word was seen to move, and some trades move it less than others. */
const MORE_TRADES = 8

/**
 * Whether trades of others bring a word where it was set. On the way there a trade has to move it:
 * a branch beside the formula may have ended that. Where no formula tells, all the trades are made:
 * tables and rings end before steps that were seen twice would. All buy before any of them goes on,
 * so that what purchases take back does not hide where sales alone lead.
 */
export function createReplay(
  random: SeededRandom,
  motion: Motion,
  { how, spent }: { how: Traded; spent: bigint },
): (context: TradeContext, turn: Turn, turns: (word: bigint) => boolean) => boolean {
  const { address, slot, isKnown } = motion
  const play = { random, how, spent }
  return (context, { trades, comesAfter }, turns) => {
    if (![...waypointsTo(trades), ...waypointsTo(comesAfter)].every((at) => goesOn(context, motion, at, play)))
      return false
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

/** Trades after which it is looked whether the next one moves the word. */
const waypointsTo = (trades: number): number[] =>
  [...new Set([trades - 1, Math.floor((trades * 3) / 4), Math.floor(trades / 2)])].filter((at) => at > 0)

/** Whether a word that trading has moved so far is moved by the next trade too. */
function goesOn(
  context: TradeContext,
  { address, slot, after }: Motion,
  trades: number,
  { random, how, spent }: { random: SeededRandom; how: Traded; spent: bigint },
): boolean {
  const word = after(trades)
  if (word === undefined) return true
  const { evm } = context.fork
  return onBranch(context, () => {
    const place = () => evm.setStorage(address, slot, word)
    if (how === 'bought') place()
    const buyer = buyOnce(context, random, 'next', spent)
    if (buyer !== undefined && how !== 'bought') {
      place()
      if (!goOn(buyer, random, 'receiver', how)) return true
    }
    // A trade that fails is no proof that the word does not come.
    return buyer === undefined || evm.storage(address, slot) !== word
  })
}
