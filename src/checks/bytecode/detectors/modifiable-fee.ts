import { parseSource } from '../../../bytecode/source-bits.js'
import type { Source } from '../../../bytecode/terms.js'
import { readTokenFacts } from '../../../bytecode/token-facts.js'
import { defineDetector, type Severity } from '../detector.js'
import { controlFinding, readControls } from '../field-control.js'
import { severityOfPower } from '../power-severity.js'
import type { Power, Subject } from '../subject.js'
import { readBound } from '../written-bound.js'

/**
 * Flags stored numbers that decide how much of a transfer arrives, where an address outside the
 * transfer can set them.
 */
export const modifiableFee = defineDetector({
  id: 'modifiable-fee',
  title: 'Modifiable Fee',
  description:
    'A privileged account can change what is taken from each transfer. Without a low upper bound in the code, that can be everything.',
  openDescription: 'Any address can call a function that changes what is taken from each transfer.',
  confidence: 'medium',
  detect: (subject) =>
    findFeeFields(subject).flatMap((source) =>
      readControls(subject, source)
        .filter(({ write }) => write.effect.value.taint.sources.some((from) => from.startsWith('arg:')))
        .map((control) => {
          const { upper, relative } = readBound(control.write)
          const bounded = upper !== undefined || relative
          const note =
            upper !== undefined
              ? `fee, at most ${upper}`
              : bounded
                ? 'fee, bounded by a stored value'
                : 'fee without an upper bound'
          return controlFinding(subject, source, control, judge(subject, control.power, bounded), note)
        }),
    ),
})

/**
 * Sources that flow into the new balances of a transfer by arithmetic of shares, other than
 * balances themselves.
 */
export function findFeeFields({ facts }: Subject): Source[] {
  const { balanceChanges, transfers, isComputed } = readTokenFacts(facts)
  const inTransfer = balanceChanges.filter(({ fn }) => transfers.includes(fn))
  // A field that says whose balance changes is no amount.
  const accounts = new Set(inTransfer.flatMap(({ account }) => account.taint.sources))
  const flowing = new Set(inTransfer.flatMap(({ effect }) => effect.value.taint.sources))
  return [...flowing].filter(
    (source) => !accounts.has(source) && isPlainField(facts.roles, source) && !isComputed(source),
  )
}

function isPlainField({ balances, allowances, supply }: Subject['facts']['roles'], source: Source): boolean {
  const field = parseSource(source)
  if (field === undefined || field.id === '?') return false
  return !balances.has(field.id) && !allowances.has(field.id) && !supply.has(field.id) && field.width > 1
}

function judge(subject: Subject, power: Power, bounded: boolean): Severity {
  const severity = severityOfPower(subject, power, 'high')
  return bounded && severity === 'medium' ? 'low' : severity
}
