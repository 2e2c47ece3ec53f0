import { isOfClock } from '../../../bytecode/clock-terms.js'
import { readComparison } from '../../../bytecode/comparison.js'
import { readEquality } from '../../../bytecode/entry.js'
import type { FunctionFacts } from '../../../bytecode/facts.js'
import { isOverflowCheck } from '../../../bytecode/overflow-check.js'
import { fieldOfSource, fromArgument, fromStorage, type Source } from '../../../bytecode/source.js'
import { hasSource, isStored, type Term, walkTerm } from '../../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'
import { controlFinding, readControls } from '../field-control.js'
import { directionOf } from '../largest-written.js'
import { severityOfPower } from '../power-severity.js'
import type { Subject } from '../subject.js'
import { type GateField, isLive, isVariable, readGateFields } from '../transfer-gates.js'
import { readBound } from '../written-bound.js'
import { isOwnAffair } from './blacklist.js'
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
    const settable = readGateFields(subject)
      .filter(({ source }) => !fees.has(source))
      .flatMap((field) => {
        // What transfers count up or down is a quota where an account in charge sets it.
        const isCounted = isComputed(field.source)
        if ((isCounted && !isQuota(field)) || !limitsAmount(subject, field)) return []
        return judge(subject, field, isCounted)
      })
    return [...settable, ...findFixedLimits(subject)]
  },
})

/**
 * Gates that compare the amount with a constant, or with a share of the sender's own balance, or
 * what he has sent so far with what else is counted of him or was fixed at the creation.
 */
function findFixedLimits(subject: Subject): Finding[] {
  const { balanceFields } = subject.facts.roles
  const token = readTokenFacts(subject.facts)
  const isShare = ({ op, taint: { sources } }: Term) => {
    const stored = sources.filter(fromStorage)
    return (op === 'MUL' || op === 'DIV') && stored.length > 0 && stored.every((source) => balanceFields.has(source))
  }
  const isConstant = (big: Term) => big.op === 'const' && big.value > 1n && big.value < NO_LIMIT
  const isCount = (source: Source) => !balanceFields.has(source) && !isVariable(source) && token.isComputed(source)
  const isFixed = (source: Source) => isVariable(source) && token.writesOf(source).length === 0
  const limits = token.gates.filter(({ fn, condition: { term, fails } }) => {
    const comparison = readComparison(term, !fails)
    const { amount } = transferParties(fn)
    if (comparison === undefined || isOverflowCheck(term) || !isDirect(comparison.small, fn, amount)) return false
    const { small, big } = comparison
    if ((isConstant(big) && !isOfClock(small)) || isShare(big)) return true
    const asked = big.taint.sources.filter(fromStorage)
    const isSpent = small.op === 'ADD' && small.taint.sources.some((source) => fromStorage(source) && isCount(source))
    return isSpent && asked.length > 0 && asked.every((source) => isCount(source) || isFixed(source))
  })
  // Without its place: that a limit is told of explains no condition of a transfer.
  return limits.filter(isLive(subject)).map(({ fn }) => ({
    ...(fn.selector && { selector: fn.selector }),
    severity: 'low',
    note: 'limit that is fixed in the code',
  }))
}

/** What an account has left, or has sent: counted by transfers, and set by others. */
const isQuota = ({ key }: GateField) => key === 'sender'

/**
 * The amount itself takes part, or what another contract says it is worth, or a word that the
 * transfer counts it into; not only as the key of something looked up.
 */
function isDirect(term: Term, { effects }: FunctionFacts, amount: Source): boolean {
  const counted = effects.flatMap((effect) =>
    effect.kind === 'write' && hasSource(effect.value, amount) ? [effect.key] : [],
  )
  let found = false
  walkTerm(term, (part) => {
    if (part.op === 'sload') found ||= part.args.some((key) => counted.includes(key))
    else if ((part.args.length === 0 || part.op === 'returned') && hasSource(part, amount)) found = true
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
  return compares && !isOverflowCheck(term) && isDirect(term, gate.fn, amount) && asksFor(term, source)
}

/** The field itself is asked for, and not only the contract that it names. */
function asksFor(term: Term, source: Source): boolean {
  let found = false
  walkTerm(term, (part) => {
    if ((part.args.length === 0 || isStored(part)) && hasSource(part, source)) found = true
    return part.op !== 'returned'
  })
  return found
}

function judge(subject: Subject, { gate, source }: GateField, isCounted: boolean): Finding[] {
  const harmless = directionOfRelief(gate, source)
  return readControls(subject, source)
    .filter(({ write: { fn, effect } }) => harmless === undefined || directionOf(fn, effect) !== harmless)
    .filter(({ power, write }) => (!isCounted || power.kind !== 'anyone') && !isOwnAffair(subject, write))
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

/**
 * How the field has to move so that the gate lets more through: up where it is the most that
 * may be moved, or a share that makes it; down where it is the least. `undefined` where it stands
 * in another way.
 */
function directionOfRelief(
  { condition: { term, fails } }: GateField['gate'],
  source: Source,
): 'up' | 'down' | undefined {
  const comparison = readComparison(term, !fails)
  if (comparison === undefined) return undefined
  const { small, big } = comparison
  if (growsWith(big, source) && !asksFor(small, source)) return 'up'
  return growsWith(small, source) && !asksFor(big, source) ? 'down' : undefined
}

/** Whether the term is the field, or a multiple or a part that hangs on it in no other way. */
function growsWith(term: Term, source: Source): boolean {
  if (isStored(term)) return hasSource(term, source)
  const [a, b] = term.args
  if (a === undefined || b === undefined || (term.op !== 'MUL' && term.op !== 'DIV')) return false
  if (term.op === 'DIV') return !asksFor(b, source) && growsWith(a, source)
  const [other, grown] = asksFor(a, source) ? [b, a] : [a, b]
  return isNarrow(source) && !asksFor(other, source) && growsWith(grown, source)
}

/** Bits of a field whose product with any supply fits into a word. */
const MAX_SHARE_BITS = 32

/** A product that does not fit refuses each transfer, or is less than it was. */
const isNarrow = (source: Source): boolean =>
  (fieldOfSource(source)?.width ?? Number.POSITIVE_INFINITY) <= MAX_SHARE_BITS

const hasArgument = (sources: readonly Source[]) => sources.some(fromArgument)
