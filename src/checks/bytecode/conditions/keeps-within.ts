import { readComparison } from '../../../bytecode/comparison.js'
import { lowMaskBits } from '../../../bytecode/fold.js'
import type { Term } from '../../../bytecode/terms.js'
import { WORD_MASK } from '../../../hex.js'

/** Narrower fields can be filled by people: a counter of so many bits lasts for ever. */
const WIDE_BITS = 47

/**
 * How wide the field is of which the condition asks only if a number fits into it (`SafeCast`), or
 * if a list has an entry before the one that is asked for, which is any number: what compilers and
 * libraries ask of their own numbers. `undefined` where it asks for more.
 */
export function roomOf(term: Term): number | undefined {
  const comparison = readComparison(term, true)
  if (comparison === undefined) return undefined
  const { small, big } = comparison
  const bits = small.op === 'const' ? lowMaskBits(small.value) : big.op === 'const' ? lowMaskBits(big.value) : undefined
  if (bits !== undefined && bits > WIDE_BITS && bits < 256) return bits
  return isOneLess(small, big) || isOneLess(big, small) ? 0 : undefined
}

const isOneLess = ({ op, args: [base, offset] }: Term, whole: Term): boolean =>
  op === 'ADD' && base === whole && offset?.op === 'const' && offset.value === WORD_MASK
