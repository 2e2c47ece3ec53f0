import { readComparison } from '../../../bytecode/comparison.js'
import { readEquality } from '../../../bytecode/entry.js'
import { hasSource, type Term, WORD_MASK, walkTerm } from '../../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'
import { controlFinding, readControls } from '../field-control.js'
import { severityOfPower } from '../power-severity.js'
import type { Subject } from '../subject.js'
import { type GateField, readGateFields } from '../transfer-gates.js'
import { readBound } from '../written-bound.js'
import { isOwnEntry } from './blacklist.js'
import { findFeeFields } from './modifiable-fee.js'

/** Numbers from here on are "no limit" in any token. */
const NO_LIMIT = 1n << 128n

/** Flags settable limits on how much may be transferred or held. */
export const transferLimit = defineDetector({
  id: 'transfer-limit',
  title: 'Modifiable Transfer Limit',
  description:
    'A privileged account can set the largest or smallest amount that may be moved or held, down to nothing where the code has no bound for it.',
  openDescription:
    'Any address can call a function that sets the largest or smallest amount that may be moved or held.',
  confidence: 'medium',
  detect: (subject) => {
    const fees = new Set(findFeeFields(subject))
    const { isComputed } = readTokenFacts(subject.facts)
    return readGateFields(subject)
      .filter(({ source }) => !fees.has(source))
      .flatMap((field) => {
        // What transfers count up or down is a quota where an account in charge sets it.
        const isCounted = isComputed(field.source)
        if ((isCounted && !isQuota(field)) || !limitsAmount(subject, field)) return []
        return judge(subject, field, isCounted)
      })
  },
})

/** What an account has left, or has sent: counted by transfers, and set by others. */
const isQuota = ({ key }: GateField) => key === 'sender'

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

/** The amount itself takes part, not only as the key of something looked up. */
function isDirect(term: Term, amount: string): boolean {
  let found = false
  walkTerm(term, (part) => {
    if (part.args.length === 0 && hasSource(part, amount)) found = true
    return part.op !== 'sload'
  })
  return found
}

/**
 * The gate compares the amount, or what it adds up to, with something that the field is part of.
 */
function limitsAmount({ facts }: Subject, { gate, source }: GateField): boolean {
  const { term, fails } = gate.condition
  const comparison = readComparison(term, !fails)
  const { amount } = transferParties(gate.fn)
  const compares = comparison !== undefined || readEquality(facts.store, term) !== undefined
  return compares && !isOverflowCheck(term) && isDirect(term, amount) && hasSource(term, source)
}

function judge(subject: Subject, { source }: GateField, isCounted: boolean): Finding[] {
  return readControls(subject, source)
    .filter(({ power, write: { effect } }) => (!isCounted || power.kind !== 'anyone') && !isOwnEntry(effect.key))
    .filter(({ write: { effect } }) =>
      effect.value.op === 'const' ? effect.value.value < NO_LIMIT : hasArgument(effect.value.taint.sources),
    )
    .map((control) => {
      const { lower, upper, relative } = readBound(control.write)
      const bounded = (lower !== undefined && lower > 1n) || upper !== undefined || relative
      const severity = severityOfPower(subject, control.power, 'high')
      const note = bounded ? 'limit that the code keeps within bounds' : 'limit without a bound'
      return controlFinding(subject, source, control, bounded && severity === 'medium' ? 'low' : severity, note)
    })
}

const hasArgument = (sources: readonly string[]) => sources.some((source) => source.startsWith('arg:'))
