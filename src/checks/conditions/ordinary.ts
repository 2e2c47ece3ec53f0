import type { TradeContext } from '../../dex/legs.js'
import { balanceOf, balanceOnTrial } from '../../dex/read-contract.js'
import type { Decision, Decisions } from '../../evm/inspectors/decisions.js'
import { evaluatorOf } from '../../evm/inspectors/evaluator-of.js'
import type { Leaf, Slot, Term } from '../../evm/inspectors/term.js'
import { onBranch } from '../on-branch.js'
import { holds, readBalanceWords, readLedger } from './balance-words.js'
import { isFollowed, keyOf, leavesOf } from './conditions.js'

/**
 * Tells conditions that every token has: whether the seller has, and allowed, as much as he sells.
 * Their words are those that the token answers balances and allowances from and that the sale
 * itself wrote. One that asks for a bit which is no part of the balance is about a mark.
 */
export function createIsOrdinary(context: TradeContext, { stores }: Pick<Decisions, 'stores'>) {
  const ledger = readLedger(context, context.trader.address)
  const balances = readBalanceWords(context, context.trader.address)
  const written = new Set(stores.map(({ address, slot }) => `${address} ${slot}`))
  const isBook = (leaf: Leaf): leaf is Slot =>
    leaf.kind === 'slot' && written.has(`${leaf.address} ${leaf.slot}`) && holds(ledger, leaf.address, leaf.slot)
  const fields = new Map<string, boolean>()
  const isSpare = (leaf: Slot, at: bigint) => {
    const key = `${at} ${keyOf(leaf)}`
    const known = fields.get(key) ?? isSpareField(context, leaf, at)
    fields.set(key, known)
    return known
  }
  return ({ condition }: Decision): boolean => {
    if (!isFollowed(condition)) return false
    const leaves = leavesOf(condition)
    const books = leaves.filter(isBook)
    if (books.length === 0 || !leaves.every((leaf) => isBook(leaf) || leaf.kind === 'argument')) return false
    const words = books.filter(({ address, slot }) => holds(balances, address, slot))
    return !words.some((leaf) => fieldsThatTurn(condition, leaf).some((at) => isSpare(leaf, at)))
  }
}

/** Balances are packed in whole bytes beside other fields. */
const FIELD_BITS = 16n

/** Whether the balance is not told from those bits of the word. */
function isSpareField({ fork, market, trader }: TradeContext, { address, slot }: Slot, at: bigint): boolean {
  const { token } = market.pool
  const balance = balanceOf(fork, token, trader.address)
  const turned = fork.evm.storage(address, slot) ^ (((1n << FIELD_BITS) - 1n) << at)
  return onBranch({ fork }, () => {
    fork.evm.setStorage(address, slot, turned)
    return balanceOnTrial(fork, token, trader.address) === balance
  })
}

/** Where the fields lie of which one bit makes the condition answer otherwise. */
function fieldsThatTurn(condition: Term, leaf: Slot): bigint[] {
  const valueAt = evaluatorOf(condition, (each) => keyOf(each) === keyOf(leaf))
  const now = valueAt(leaf.value) !== 0n
  const turns = (bit: bigint) => (valueAt(leaf.value ^ (1n << bit)) !== 0n) !== now
  const bits = Array.from({ length: 256 }, (_, bit) => BigInt(bit)).filter(turns)
  return [...new Set(bits.map((bit) => bit - (bit % FIELD_BITS)))]
}
