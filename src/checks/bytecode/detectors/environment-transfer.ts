import { readEquality } from '../../../bytecode/entry.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import { environmentSource, fromCall, fromStorage, SOURCE, type Source, variableOf } from '../../../bytecode/source.js'
import { hasSource, type Term, walkTerm } from '../../../bytecode/terms.js'
import { readTokenFacts } from '../../../bytecode/token-facts.js'
import type { TokenGate } from '../../../bytecode/token-gates.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector, type Finding } from '../detector.js'
import { readControls } from '../field-control.js'
import { neverComesToPass } from '../past-clock.js'
import type { Subject } from '../subject.js'
import { isLive } from '../transfer-gates.js'

/** What a transfer has no business to ask, and how odd that is. */
const QUESTIONS: Record<string, Severity> = {
  GASPRICE: 'medium',
  COINBASE: 'medium',
  PREVRANDAO: 'medium',
  BLOCKHASH: 'medium',
  BASEFEE: 'medium',
  BLOBBASEFEE: 'medium',
  GASLIMIT: 'medium',
  GAS: 'medium',
  BALANCE: 'medium',
  SELFBALANCE: 'medium',
  EXTCODEHASH: 'low',
  ORIGIN: 'medium',
  TIMESTAMP: 'medium',
  NUMBER: 'medium',
  SLOTNUM: 'medium',
}

/**
 * Flags transfers whose success depends on things that differ between a simulation and the chain,
 * or between now and later.
 */
export const environmentTransfer = defineDetector({
  id: 'environment-transfer',
  title: 'Transfer Depends on Circumstances',
  description:
    'Whether a transfer goes through depends on the time, the gas price, the block or who sent the transaction, so that a test today says little about tomorrow.',
  confidence: 'medium',
  detect: (subject) => {
    const { gates } = readTokenFacts(subject.facts)
    return gates.filter(isLive(subject)).flatMap((gate) => judge(subject, gate) ?? [])
  },
})

function judge(subject: Subject, { fn, condition }: TokenGate): Finding | undefined {
  const { term, pc, fails } = condition
  if (neverComesToPass(subject, term, fails) || asksGain(term)) return undefined
  const asked = Object.keys(QUESTIONS).filter(
    (name) => isAskedFor(term, name) && !(name === 'ORIGIN' && isFixedList(subject, term)),
  )
  const [worst] = asked.sort((a, b) => Number(QUESTIONS[b] === 'medium') - Number(QUESTIONS[a] === 'medium'))
  const severity = worst === undefined ? undefined : QUESTIONS[worst]
  if (worst === undefined || severity === undefined) return undefined
  const at = {
    pc,
    ...(fn.selector && { selector: fn.selector }),
    note: `a transfer can fail depending on ${asked.join(', ')}`,
  }
  if (worst === 'ORIGIN' && isPlainBan(subject, term))
    return { ...at, severity: 'low', note: 'contracts may not transfer' }
  if (worst !== 'TIMESTAMP' && worst !== 'NUMBER') return { ...at, severity }
  return judgeClock(subject, term, at)
}

/** Only what the token's own coins have become since it looked last, as when it sells its fees. */
function asksGain(term: Term): boolean {
  let isOfCoins = true
  walkTerm(term, ({ op, args }) => {
    isOfCoins &&= args.length > 0 || op === 'SELFBALANCE'
    return isOfCoins
  })
  return isOfCoins
}

/**
 * The time since an account's own last trade is a waiting time, which has its own rule; a fixed
 * date that has passed is history.
 */
function judgeClock(subject: Subject, term: Term, at: Omit<Finding, 'severity'>): Finding | undefined {
  const { sources } = term.taint
  if (sources.some((source) => fromStorage(source) && variableOf(source).includes('['))) return undefined
  const settable = sources
    .filter(fromStorage)
    .some((source) => readControls(subject, source).some(({ power }) => power.kind !== 'renounced'))
  const periodic = containsRemainder(term)
  return { ...at, severity: settable || periodic ? 'medium' : 'low' }
}

const isAskedFor = ({ taint }: Term, name: string) =>
  taint.sources.includes(environmentSource(name)) && !taint.sources.some(fromCall)

/** The sender of the transaction is looked up alone, in what nothing writes. */
function isFixedList(subject: Subject, term: Term): boolean {
  const looked: Source[] = []
  let isDirect = false
  walkTerm(term, (part) => {
    const key = storageKeyOf(part)
    if (key === undefined) isDirect ||= part.op === 'ORIGIN'
    else if (hasSource(key, SOURCE.origin)) looked.push(...part.taint.sources.filter(fromStorage))
    return key === undefined
  })
  const { isKept } = readTokenFacts(subject.facts)
  return (
    !isDirect &&
    looked.length > 0 &&
    looked.every((source) => !isKept(source) && readControls(subject, source).length === 0)
  )
}

/** `caller == origin`: passes for every ordinary account. */
function isPlainBan({ facts }: Subject, term: Term): boolean {
  const equality = readEquality(facts.store, term)
  if (equality === undefined) return false
  const names = [equality.a.op, equality.b.op]
  return names.includes('CALLER') && names.includes('ORIGIN')
}

/**
 * A remainder of the clock comes again and again; what grows, or falls, with it in steps, as what a
 * team may sell by and by, does not.
 */
const containsRemainder = (term: Term): boolean => {
  const [a, b] = term.args
  if (term.op === 'MOD' || term.op === 'SMOD') return true
  // Written out: what is left of it after whole parts are taken away.
  if (term.op === 'SUB' && a && b && isOfClock(a) && isOfClock(b) && contains(b, 'DIV')) return true
  return term.args.some(containsRemainder)
}

const isOfClock = (term: Term) => hasSource(term, SOURCE.timestamp) || hasSource(term, SOURCE.blockNumber)
const contains = (term: Term, op: string): boolean => term.op === op || term.args.some((arg) => contains(arg, op))
