import { readComparison } from '../../../bytecode/comparison.js'
import { readEquality } from '../../../bytecode/entry.js'
import { hasSource, type Term, walkTerm } from '../../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'
import { controlFinding, readControls } from '../field-control.js'
import { severityOfPower } from '../power-severity.js'
import type { Subject } from '../subject.js'
import { type GateField, readGateFields } from '../transfer-gates.js'
import { readBound } from '../written-bound.js'
import { findFeeFields } from './modifiable-fee.js'

/** Numbers from here on are "no limit" in any token. */
const NO_LIMIT = 1n << 128n

/** Flags settable limits on how much may be transferred or held. */
export const transferLimit = defineDetector({
  id: 'transfer-limit',
  title: 'Modifiable Transfer Limit',
  description:
    'A privileged account can set the largest or smallest amount that may be moved or held, down to nothing where the code has no bound for it.',
  confidence: 'medium',
  detect: (subject) => {
    const fees = new Set(findFeeFields(subject))
    const { isComputed } = readTokenFacts(subject.facts)
    return readGateFields(subject)
      .filter(({ source }) => !isComputed(source) && !fees.has(source))
      .flatMap((field) => (limitsAmount(subject, field) ? judge(subject, field) : []))
  },
})

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
  return compares && isDirect(term, amount) && hasSource(term, source)
}

function judge(subject: Subject, { source }: GateField): Finding[] {
  return readControls(subject, source)
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
