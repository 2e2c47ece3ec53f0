import { readComparison } from '../../bytecode/comparison.js'
import { findReachable } from '../../bytecode/graph.js'
import { inputsOf } from '../../bytecode/join.js'
import { isOverflowCheck } from '../../bytecode/overflow-check.js'
import type { Source } from '../../bytecode/source.js'
import { hasSource, isStored, someTerm, type Term } from '../../bytecode/terms.js'
import type { FieldWrite } from '../../bytecode/token-facts.js'

/**
 * Whether a write leaves a field that is not zero as something other than zero, whatever the call:
 * an index that grows, or falls by a part of itself, is no switch.
 */
export const keepsSet = (write: FieldWrite, source: Source): boolean => keeps(write, source, true)

/** Whether a write leaves a field as it is, or larger. */
export const neverLowers = (write: FieldWrite, source: Source): boolean => keeps(write, source, false)

function keeps({ fn, effect }: FieldWrite, source: Source, mayFall: boolean): boolean {
  const checked = fn.conditions.flatMap(({ term, fails }) =>
    fails !== undefined && isOverflowCheck(term) ? [term] : [],
  )
  const joins = new Set<Term>()
  return isKept(effect.value)

  function isKept(value: Term): boolean {
    const [a, b] = value.args
    if (isField(value) || isKeptByGate(value)) return true
    if (value.op === 'const') return mayFall && value.value > 0n
    if (value.op === 'choice') return value.args.length > 0 && value.args.every(isKept)
    if (value.op === 'phi') return isKeptOnEachWay(value)
    if (a === undefined || b === undefined) return false
    if (value.op === 'SUB') return mayFall && isField(a) && isPartOf(b)
    if (value.op !== 'ADD') return false
    const rest = isKept(a) ? b : isKept(b) ? a : undefined
    return rest !== undefined && (isPartOf(rest) || isChecked(value))
  }

  /** The larger of two, or no more than a bound: whichever of them it is. */
  function isKeptOnEachWay(value: Term): boolean {
    if (joins.has(value)) return false
    joins.add(value)
    const ways = [...inputsOf(fn.run, value)]
    return ways.length > 0 && ways.every(isKept)
  }

  /** The code refuses less than nine tenths of what is there: undoing takes hundreds of calls. */
  function isKeptByGate(value: Term): boolean {
    return fn.conditions.some(({ term, fails, node }) => {
      const comparison = fails === undefined ? undefined : readComparison(term, !fails)
      if (comparison?.big !== value || !isMostOf(comparison.small)) return false
      return !findReachable(fn.run, ({ taken }, from) => from !== node || taken === fails).has(effect.node)
    })
  }

  function isMostOf(term: Term): boolean {
    const [whole, divisor] = term.args
    if (isField(term)) return true
    if (!mayFall || term.op !== 'DIV' || whole?.op !== 'MUL' || divisor?.op !== 'const') return false
    const factor = whole.args.find(({ op }) => op === 'const')
    return factor !== undefined && whole.args.some(isField) && factor.value * 10n >= divisor.value * 9n
  }

  function isField(term: Term): boolean {
    return isStored(term) && term.taint.sources.length === 1 && hasSource(term, source)
  }

  /** Less than the field itself, by constants alone: a half, three in ten thousand. */
  function isPartOf(term: Term): boolean {
    const [whole, divisor] = term.args
    if (term.op !== 'DIV' || whole === undefined || divisor?.op !== 'const') return false
    if (isField(whole)) return divisor.value > 1n
    const factor = whole.op === 'MUL' ? whole.args.find(({ op }) => op === 'const') : undefined
    return factor !== undefined && whole.args.some(isField) && factor.value < divisor.value
  }

  /** The compiler has the sum fail where it does not fit into a word. */
  function isChecked(sum: Term): boolean {
    return checked.some((term) => someTerm(term, (part) => part === sum))
  }
}
