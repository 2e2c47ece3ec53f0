import { WORD_MASK } from '../hex.js'
import { readComparison } from './comparison.js'
import type { Term } from './terms.js'

/** `a > MAX - b` and `a + b < a`: the sum does not fit into a word. */
export function isOverflowCheck(term: Term): boolean {
  const comparison = readComparison(term, true)
  if (comparison === undefined) return false
  const { small, big } = comparison
  const isLargest = ({ op, args: [first] }: Term) =>
    op === 'NOT' || (op === 'SUB' && first?.op === 'const' && first.value === WORD_MASK)
  const isSumOf = (sum: Term, part: Term) => sum.op === 'ADD' && sum.args.includes(part)
  return isLargest(small) || isLargest(big) || isSumOf(small, big) || isSumOf(big, small)
}
