import { approve, buy, sell, type TradeContext } from '../../dex/legs.js'
import { createStorageAccessInspector, type StorageAccess } from '../../evm/inspectors/storage-access.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { createTrader } from '../../simulation/trader.js'
import { booksOf } from '../conditions/own-books.js'
import type { Circumstance, Setting } from './circumstance.js'
import { CROWD } from './crowd.js'
import { pass } from './pass.js'

/** A limit that is halved so often is nothing. */
const REPEATS = 40

/**
 * Others buy and sell each time that the circumstance holds, again and again: every tenth trade, or
 * the first of a day, may write what the next sales are decided by. Entered only where such a trade
 * writes a word that is `decisive` for the sale and that ordinary trades leave as it is.
 */
export function repeatedly(setting: Setting, decisive: readonly Slot[], circumstance: Circumstance): Circumstance {
  const { random, amount, isMoved } = setting
  const { isOpen } = booksOf(setting.context)
  const rare = decisive.filter((slot) => isOpen(slot) && !isMoved(slot))
  return {
    ...circumstance,
    name: 'crowd',
    key: `again and again, ${circumstance.key}`,
    enter(sale) {
      if (rare.length === 0) return undefined
      for (let i = 0; i < REPEATS; i += 1) {
        const then = circumstance.enter(sale)
        if (then === undefined) return undefined
        const context = { ...then.context, trader: createTrader(then.context.fork, random, `again ${i}`, amount) }
        const written = tradeOnce(context, amount / BigInt(CROWD))
        if (i === 0 && !rare.some((slot) => isWritten(written, slot))) return undefined
      }
      return sale
    },
  }
}

/** Buys, approves and sells, a block each; what that wrote. */
function tradeOnce(context: TradeContext, spent: bigint): StorageAccess {
  const storage = createStorageAccessInspector()
  const watched = { ...context, watch: () => [storage] }
  const { success, tokenDelta: bought } = buy(watched, spent)
  pass(context.fork, 0)
  if (success && bought > 0n) {
    approve(context, bought)
    pass(context.fork, 0)
    sell(watched, bought)
    pass(context.fork, 0)
  }
  return storage.finish()
}

const isWritten = ({ writes }: StorageAccess, { address, slot }: Slot): boolean =>
  writes.get(address)?.has(slot) === true
