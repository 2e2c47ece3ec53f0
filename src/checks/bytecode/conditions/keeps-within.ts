import { readComparison } from '../../../bytecode/comparison.js'
import { lowMaskBits } from '../../../bytecode/fold.js'
import type { Term } from '../../../bytecode/terms.js'

/** Narrower fields can be filled by people: a counter of so many bits lasts for ever. */
const WIDE_BITS = 47

/**
 * Whether the condition asks only if a number fits into its field (`SafeCast`), or if a list has an
 * entry before the one that is asked for: what compilers and libraries ask of their own numbers.
 */
export function keepsWithin(term: Term): boolean {
  const comparison = readComparison(term, true)
  if (comparison === undefined) return false
  const { small, big } = comparison
  const bits = small.op === 'const' ? lowMaskBits(small.value) : big.op === 'const' ? lowMaskBits(big.value) : undefined
  if (bits !== undefined && bits > WIDE_BITS && bits < 256) return true
  return isOneLess(small, big) || isOneLess(big, small)
}

const isOneLess = ({ op, args: [base, offset] }: Term, whole: Term): boolean =>
  op === 'ADD' && base === whole && offset?.op === 'const' && offset.value === (1n << 256n) - 1n
