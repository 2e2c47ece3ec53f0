import type { FunctionFacts } from './facts.js'
import { isOverflowCheck } from './overflow-check.js'
import { someTerm, type Term } from './terms.js'

/**
 * What compilers and libraries ask before they compute: whether a sum or a product fits into a
 * word, and whether a divisor is zero. Such a condition never ends what its function is for.
 */
export function isArithmeticCheck({ effects }: FunctionFacts, term: Term): boolean {
  const asked = withoutNot(term)
  if (isRangeCheck(asked)) return true
  return effects.some(
    (effect) =>
      effect.kind === 'write' &&
      someTerm(effect.value, ({ op, args: [, divisor] }) => (op === 'DIV' || op === 'MOD') && divisor === asked),
  )
}

/** Whether a sum or a product fits into a word. */
export function isRangeCheck(term: Term): boolean {
  const asked = withoutNot(term)
  return isOverflowCheck(asked) || someTerm(asked, isProductCheck)
}

/** `a * b / a == b` */
function isProductCheck({ op, args }: Term): boolean {
  const isFactor = (quotient: Term, other: Term) => {
    const [product, divisor] = quotient.args
    if (quotient.op !== 'DIV' || product?.op !== 'MUL' || divisor === undefined) return false
    return product.args.includes(divisor) && product.args.includes(other)
  }
  const [a, b] = args
  return op === 'EQ' && a !== undefined && b !== undefined && (isFactor(a, b) || isFactor(b, a))
}

function withoutNot(term: Term): Term {
  let inner = term
  for (let next = inner.args[0]; inner.op === 'ISZERO' && next !== undefined; next = inner.args[0]) inner = next
  return inner
}
