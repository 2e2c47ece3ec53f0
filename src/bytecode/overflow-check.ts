import { WORD_MASK } from '../hex.js'
import { readComparison } from './comparison.js'
import type { Term } from './terms.js'

/** `a > MAX - b` and `a + b < a`: the sum does not fit into a word; or a signed one does not. */
export function isOverflowCheck(term: Term): boolean {
  if (isSignedOverflowCheck(term)) return true
  const comparison = readComparison(term, true)
  if (comparison === undefined) return false
  const { small, big } = comparison
  const isLargest = ({ op, args: [first] }: Term) =>
    op === 'NOT' || (op === 'SUB' && first?.op === 'const' && first.value === WORD_MASK)
  const isSumOf = (sum: Term, part: Term) => sum.op === 'ADD' && sum.args.includes(part)
  return isLargest(small) || isLargest(big) || isSumOf(small, big) || isSumOf(big, small)
}

/**
 * `(b >= 0 && a + b < a) || (b < 0 && a + b >= a)`, and the same of `a - b` the other way round: as
 * Solidity asks of numbers with a sign.
 */
function isSignedOverflowCheck({ op, args: [a, b] }: Term): boolean {
  if (op === 'ISZERO') return a !== undefined && isSignedOverflowCheck(a)
  if (op !== 'OR' || a?.op !== 'AND' || b?.op !== 'AND') return false
  return [[a, b] as const, [b, a] as const].some(([one, other]) => {
    const [up, down] = [readSide(one, false), readSide(other, true)]
    return up !== undefined && down !== undefined && up.part === down.part && isWrapped(up, down)
  })
}

/** How the result compares with what it began with, where the other part has this sign. */
interface Side {
  part: Term
  order: Term
}

function readSide({ args }: Term, isNegative: boolean): Side | undefined {
  for (const sign of args) {
    const order = args.find((each) => each !== sign)
    const [inner] = sign.op === 'ISZERO' ? sign.args : [sign]
    const [part, zero] = inner?.op === 'SLT' ? inner.args : []
    const isSign = (inner === sign) === isNegative && zero?.op === 'const' && zero.value === 0n
    if (isSign && part !== undefined && order !== undefined) return { part, order }
  }
  return undefined
}

/** Adding what is not negative makes it less, and so on; equal is no overflow of nothing added. */
function isWrapped(up: Side, down: Side): boolean {
  if (!isSigned(up.order) || up.order.op === 'ISZERO' || !isSigned(down.order)) return false
  const [above, below] = [readComparison(up.order, true), readComparison(down.order, true)]
  if (above === undefined || below === undefined) return false
  const { part } = up
  const isSum = (sum: Term, whole: Term) => sum.op === 'ADD' && sum.args.includes(part) && sum.args.includes(whole)
  const isRest = ({ op, args: [from, taken] }: Term, whole: Term) => op === 'SUB' && from === whole && taken === part
  const isTurned = above.small === below.big && above.big === below.small
  return isTurned && (isSum(above.small, above.big) || isRest(above.big, above.small))
}

function isSigned({ op, args: [inner] }: Term): boolean {
  return op === 'ISZERO' ? inner !== undefined && isSigned(inner) : op === 'SLT' || op === 'SGT'
}
