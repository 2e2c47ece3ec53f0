import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { booksOf } from '../conditions/own-books.js'
import type { Circumstance, Setting } from './circumstance.js'
import { CROWD } from './crowd.js'
import { buyOnce, goOn } from './new-wallet.js'
import { pass } from './pass.js'

/** A limit that is halved so often is nothing. */
const REPEATS = 40

/** Words among those that decide a sale that ordinary trades leave as they are. */
export function rarelyWritten({ context, isMoved }: Setting, decisive: readonly Slot[]): Slot[] {
  const { isOpen } = booksOf(context)
  return decisive.filter((slot) => !isMoved(slot) && isOpen(slot))
}

/**
 * Others buy and sell each time that the circumstance holds, again and again: every tenth trade, or
 * the first of a week, may write what the next sales are decided by. Entered only where such a
 * trade writes one of the words that are `rare`.
 */
export function repeatedly(setting: Setting, rare: readonly Slot[], circumstance: Circumstance): Circumstance {
  return {
    ...circumstance,
    name: 'crowd',
    key: `again and again, ${circumstance.key}`,
    enter(sale) {
      for (let i = 0; i < REPEATS; i += 1) {
        const then = circumstance.enter(sale)
        if (then === undefined) return undefined
        const isRare = tradeOnce(setting, then.context, i, rare)
        if (i === 0 && !isRare) return undefined
      }
      return sale
    },
  }
}

/** A new wallet buys, approves and sells, a block each. Whether that wrote one of the words. */
function tradeOnce({ random, amount }: Setting, context: Setting['context'], i: number, words: readonly Slot[]) {
  const storage = createStorageAccessInspector()
  const watched = { ...context, watch: () => [storage] }
  const buyer = buyOnce(watched, random, `again ${i}`, amount / BigInt(CROWD))
  if (buyer) goOn(buyer, random, `receiver ${i}`, 'sold')
  pass(context.fork, 0)
  const { writes } = storage.finish()
  return words.some(({ address, slot }) => writes.get(address)?.has(slot) === true)
}
