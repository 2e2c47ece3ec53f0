import { encodeCall } from '../../dex/encode-call.js'
import type { TradeContext } from '../../dex/legs.js'
import { erc20Abi } from '../../dex/read-contract.js'
import type { Decision, Decisions } from '../../evm/inspectors/decisions.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import type { Leaf } from '../../evm/inspectors/term.js'
import type { Hex } from '../../hex.js'
import { leavesOf } from './conditions.js'

/**
 * Tells conditions that every token has: whether the seller has, and allowed, as much as he sells.
 * Their words are those that the token answers balances and allowances from and that the sale
 * itself wrote.
 */
export function createIsOrdinary(context: TradeContext, { stores }: Pick<Decisions, 'stores'>) {
  const { market, trader, fork } = context
  const { token } = market.pool
  const { spender } = market.venue
  const storage = createStorageAccessInspector()
  const ask = (data: Hex) => fork.evm.read({ to: token, data }, [storage])
  ask(encodeCall({ abi: erc20Abi, functionName: 'balanceOf', args: [trader.address] }))
  if (spender) ask(encodeCall({ abi: erc20Abi, functionName: 'allowance', args: [trader.address, spender] }))
  const { reads } = storage.finish()
  const written = new Set(stores.map(({ address, slot }) => `${address} ${slot}`))
  const isBook = (leaf: Leaf) =>
    leaf.kind === 'slot' &&
    written.has(`${leaf.address} ${leaf.slot}`) &&
    reads.get(leaf.address)?.has(leaf.slot) === true
  return ({ condition }: Decision): boolean => {
    const leaves = leavesOf(condition)
    return leaves.some(isBook) && leaves.every((leaf) => isBook(leaf) || leaf.kind === 'argument')
  }
}
