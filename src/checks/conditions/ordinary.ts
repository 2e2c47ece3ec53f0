import type { TradeContext } from '../../dex/legs.js'
import type { Decision, Decisions } from '../../evm/inspectors/decisions.js'
import type { Leaf } from '../../evm/inspectors/term.js'
import { holds, readLedger } from './balance-words.js'
import { isFollowed, leavesOf } from './conditions.js'

/**
 * Tells conditions that every token has: whether the seller has, and allowed, as much as he sells.
 * Their words are those that the token answers balances and allowances from and that the sale
 * itself wrote.
 */
export function createIsOrdinary(context: TradeContext, { stores }: Pick<Decisions, 'stores'>) {
  const ledger = readLedger(context, context.trader.address)
  const written = new Set(stores.map(({ address, slot }) => `${address} ${slot}`))
  const isBook = (leaf: Leaf) =>
    leaf.kind === 'slot' && written.has(`${leaf.address} ${leaf.slot}`) && holds(ledger, leaf.address, leaf.slot)
  return ({ condition }: Decision): boolean => {
    if (!isFollowed(condition)) return false
    const leaves = leavesOf(condition)
    return leaves.some(isBook) && leaves.every((leaf) => isBook(leaf) || leaf.kind === 'argument')
  }
}
