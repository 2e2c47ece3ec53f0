import { readEquality } from '../../bytecode/entry.js'
import type { Edge } from '../../bytecode/interpret.js'
import type { TermStore } from '../../bytecode/terms.js'

/** Uniswap's Permit2, to which some tokens give a standing allowance in code. */
const PERMIT2 = 0x000000000022d473030f116ddee9f6b43ac78ba3n

/**
 * Whether the edge is only taken when the caller is the account that the call names, or is Permit2:
 * then only the caller's tokens move.
 */
export function isOwnAccount(store: TermStore, { condition, taken }: Edge): boolean {
  const equality = condition === undefined ? undefined : readEquality(store, condition)
  if (equality === undefined || equality.when !== taken) return false
  const { a, b } = equality
  const other = a.op === 'CALLER' ? b : b.op === 'CALLER' ? a : undefined
  return other !== undefined && (other.op === 'calldata' || (other.op === 'const' && other.value === PERMIT2))
}
