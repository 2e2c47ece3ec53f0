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
  const spare = new Map<string, readonly bigint[]>()
  const spareBitsOf = (leaf: Slot) => {
    const known = spare.get(keyOf(leaf)) ?? findSpareBits(context, leaf)
    spare.set(keyOf(leaf), known)
    return known
  }
  return ({ condition }: Decision): boolean => {
    if (!isFollowed(condition)) return false
    const leaves = leavesOf(condition)
    const books = leaves.filter(isBook)
    if (books.length === 0 || !leaves.every((leaf) => isBook(leaf) || leaf.kind === 'argument')) return false
    const words = books.filter(({ address, slot }) => holds(balances, address, slot))
    return !words.some((leaf) => turnsWith(condition, leaf, spareBitsOf(leaf)))
  }
}

/** Balances are packed in whole bytes beside other fields. */
const FIELD_BITS = 16n

/** Bits of a balance's word that the balance is not told from. */
function findSpareBits({ fork, market, trader }: TradeContext, { address, slot }: Slot): bigint[] {
  const word = fork.evm.storage(address, slot)
  const { token } = market.pool
  const balance = balanceOf(fork, token, trader.address)
  const found: bigint[] = []
  for (let at = 0n; at < 256n; at += FIELD_BITS) {
    const turned = word ^ (((1n << FIELD_BITS) - 1n) << at)
    const isSpare = onBranch({ fork }, () => {
      fork.evm.setStorage(address, slot, turned)
      return balanceOnTrial(fork, token, trader.address) === balance
    })
    if (isSpare) for (let bit = at; bit < at + FIELD_BITS; bit += 1n) found.push(bit)
  }
  return found
}

function turnsWith(condition: Term, leaf: Slot, bits: readonly bigint[]): boolean {
  if (bits.length === 0) return false
  const valueAt = evaluatorOf(condition, (each) => keyOf(each) === keyOf(leaf))
  const now = valueAt(leaf.value) !== 0n
  return bits.some((bit) => (valueAt(leaf.value ^ (1n << bit)) !== 0n) !== now)
}
