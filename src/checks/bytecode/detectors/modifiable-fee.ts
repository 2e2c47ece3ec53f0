import { readDecidingBranches } from '../../../bytecode/deciding-branches.js'
import type { WriteEffect } from '../../../bytecode/effects.js'
import { fieldOfSource, fromArgument, fromStorage, type Source, UNKNOWN_VARIABLE } from '../../../bytecode/source.js'
import { isHolding } from '../../../bytecode/source-bits.js'
import { type FieldWrite, readTokenFacts } from '../../../bytecode/token-facts.js'
import { canTakeShare, paysMoreForLess, paysNearlyAll } from '../amount-range.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector } from '../detector.js'
import { controlFinding, readControls } from '../field-control.js'
import { directionOf } from '../largest-written.js'
import { severityOfPower } from '../power-severity.js'
import type { Power, Subject } from '../subject.js'
import { readBranchFields } from '../transfer-gates.js'
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
  detect: (subject) => [
    ...findFeeFields(subject).flatMap((source) =>
      readControls(subject, source)
        .filter(({ write }) => write.effect.value.taint.sources.some(fromArgument))
        .filter(({ write }) => !isOnlyLowered(subject, source, write))
        .map((control) => {
          const { upper, relative } = readBound(control.write)
          const bounded = upper !== undefined || relative
          const note =
            upper !== undefined
              ? `fee, at most ${upper}`
              : bounded
                ? 'fee, bounded by a stored value'
                : 'fee without an upper bound'
          const isSmall = upper !== undefined && isSmallAt(subject, source, upper)
          const severity = isSmall ? 'low' : judge(subject, control.power, bounded)
          return controlFinding(subject, source, control, severity, note)
        }),
    ),
    ...findSwitches(subject).flatMap((source) =>
      readControls(subject, source).map((control) => {
        const severity = severityOfPower(subject, control.power, 'high')
        return controlFinding(subject, source, control, severity, 'switch of a fee that takes a quarter or more')
      }),
    ),
  ],
})

/** Whether next to all of each transfer arrives with the highest fee. */
const isSmallAt = (subject: Subject, source: Source, highest: bigint) =>
  readTokenFacts(subject.facts).transfers.every((fn) => paysNearlyAll(subject, fn, source, highest))

/** Whether what is taken can only become less than now, which harms none of those who hold it. */
function isOnlyLowered(subject: Subject, source: Source, { fn, effect }: FieldWrite): boolean {
  const now = directionOf(fn, effect) === 'down' ? valueNow(subject, effect) : undefined
  const { transfers } = readTokenFacts(subject.facts)
  return now !== undefined && transfers.every((transfer) => paysMoreForLess(subject, transfer, source, now))
}

function valueNow(subject: Subject, { key, shift, width }: WriteEffect): bigint | undefined {
  const word = key.op === 'const' ? subject.word(key.value) : undefined
  return word === undefined ? undefined : (word >> BigInt(shift)) & ((1n << BigInt(width)) - 1n)
}

/** Switches that decide what arrives, where much is taken on one of the ways. */
function findSwitches(subject: Subject): Source[] {
  const takers = readTokenFacts(subject.facts).transfers.filter((fn) => canTakeShare(subject, fn))
  if (takers.length === 0) return []
  const asked = readBranchFields(subject).filter(({ key, field }) => key === 'variable' && field.op === 'field')
  return takers.flatMap((taker) => {
    const { branches } = readDecidingBranches(subject.facts, taker)
    const deciding = new Set(branches.flatMap(({ outcome, term }) => (outcome === 'differs' ? [term] : [])))
    return asked.flatMap(({ fn, condition, source }) => (fn === taker && deciding.has(condition) ? [source] : []))
  })
}

/**
 * Sources that flow into the new balances of a transfer by arithmetic of shares, other than
 * balances themselves. Transfers that first choose a rate, as one for purchases and one for sales,
 * and put it where they compute with it, lead on to what it was chosen from.
 */
export function findFeeFields({ facts }: Subject): Source[] {
  const { balanceChanges, transfers, isComputed, writesOf } = readTokenFacts(facts)
  const inTransfer = balanceChanges.filter(({ fn }) => transfers.includes(fn))
  // A field that says whose balance changes is no amount.
  const accounts = new Set(inTransfer.flatMap(({ account }) => account.taint.sources))
  const isShare = (source: Source) => !accounts.has(source) && isPlainField(facts.roles, source)
  const flowing = new Set(inTransfer.flatMap(({ effect }) => effect.value.taint.sources).filter(isShare))
  for (const source of flowing) {
    for (const { fn, effect } of writesOf(source)) {
      const { sources } = effect.value.taint
      // What has an amount in it is a running total, and no rate.
      if (!transfers.includes(fn) || !sources.every(fromStorage)) continue
      for (const from of sources) if (isShare(from)) flowing.add(from)
    }
  }
  return [...flowing].filter((source) => !isComputed(source))
}

function isPlainField(roles: Subject['facts']['roles'], source: Source): boolean {
  const field = fieldOfSource(source)
  if (field === undefined || field.variable === UNKNOWN_VARIABLE) return false
  return !isHolding(roles, source) && !roles.supply.has(field.variable) && field.width > 1
}

function judge(subject: Subject, power: Power, bounded: boolean): Severity {
  const severity = severityOfPower(subject, power, 'high')
  return bounded && severity === 'medium' ? 'low' : severity
}
