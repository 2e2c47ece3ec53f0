import { readEquality } from '../../bytecode/entry.js'
import type { Edge } from '../../bytecode/interpret.js'
import { isNumber, type Term, type TermStore } from '../../bytecode/terms.js'
import { ADDRESS_MASK } from '../../hex.js'

/** Uniswap's Permit2, to which some tokens give a standing allowance in code. */
const PERMIT2 = 0x000000000022d473030f116ddee9f6b43ac78ba3n

/**
 * Whether the edge is only taken when the caller is the account that the call names, or is Permit2:
 * then only the caller's tokens move.
 */
export function isOwnAccount(store: TermStore, { condition, taken }: Edge): boolean {
  const equality = condition === undefined ? undefined : readEquality(store, condition)
  if (equality === undefined || equality.when !== taken) return false
  const [a, b] = underHash(equality.a, equality.b)
  const other = a.op === 'CALLER' ? b : b.op === 'CALLER' ? a : undefined
  return other !== undefined && (other.op === 'calldata' || (other.op === 'const' && other.value === PERMIT2))
}

/** What alone differs in two hashes of the same words; the two themselves where they are none. */
function underHash(a: Term, b: Term): readonly [Term, Term] {
  if (a.op !== 'keccak' || b.op !== 'keccak' || a.args.length !== b.args.length) return [a, b]
  const [at, more] = a.args.flatMap((arg, index) => (arg === b.args[index] ? [] : [index]))
  const [one, other] = at === undefined || more !== undefined ? [] : [a.args[at], b.args[at]]
  return one && other ? underHash(laidOut(one), laidOut(other)) : [a, b]
}

/** The account that `abi.encodePacked` shifts to the upper end of a word, all its bytes. */
function laidOut(term: Term): Term {
  const [shifted, mask] = term.args
  const [by, account] = shifted?.op === 'SHL' ? shifted.args : []
  return term.op === 'AND' && isNumber(by, ABOVE) && isNumber(mask, UPPER_TWENTY) && account ? account : term
}

/** Bits below an address at the upper end of a word, and the bits that it has there. */
const ABOVE = 96n
const UPPER_TWENTY = ADDRESS_MASK << ABOVE
