import { isClock } from '../../../bytecode/clock-terms.js'
import { readComparison } from '../../../bytecode/comparison.js'
import { computesWithAccounts } from '../../../bytecode/computed-accounts.js'
import type { DecidingBranch } from '../../../bytecode/deciding-branches.js'
import type { CallEffect } from '../../../bytecode/effects.js'
import { asksGrantsAlone } from '../../../bytecode/granted.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import { isShapeCheck } from '../../../bytecode/shape-check.js'
import {
  argumentSource,
  callSource,
  environmentSource,
  SOURCE,
  type Source,
  variableOf,
} from '../../../bytecode/source.js'
import { isHolding } from '../../../bytecode/source-bits.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { hasSource, someTerm, type Term, walkTerm } from '../../../bytecode/terms.js'
import { transferParties } from '../../../bytecode/token-facts.js'
import type { Address } from '../../../hex.js'
import type { Mover } from '../code-conditions.js'
import { SWAPS } from '../detectors/external-transfer-call.js'
import { asksOwnBook } from '../own-book.js'
import type { Subject } from '../subject.js'
import { canBeOpened, isOpenNow, isSettled } from '../ways.js'
import { explainStorage } from './explain-storage.js'
import type { Leaf } from './leaves.js'
import { isPermit } from './permit.js'

/** What is asked about one condition. */
export interface Question {
  /** All code that runs in the same storage. */
  subjects: readonly Subject[]
  /** The one whose code holds the condition. */
  subject: Subject
  branch: DecidingBranch
  /** Whether both sides were compared, and move what was asked for. */
  isCompared: boolean
  /** Detectors of transfers that tell of a place. */
  toldAt(address: Address, pc: number): readonly string[]
  /** Detectors that tell of calls to the contract that this word names. */
  toldOfTarget(source: Source): readonly string[]
}

/** What is known of one leaf of a condition. */
export interface Explanation {
  movers: readonly Mover[]
  /** Detectors, or what keeps it from harm. Empty: what each token asks for. */
  by: readonly string[]
  /** Why it is not explained. */
  why?: string
}

const ORDINARY: Explanation = { movers: [], by: [] }

/** Explains one leaf of a condition. */
export function explainLeaf(question: Question, leaf: Leaf): Explanation {
  const { subject, branch, isCompared, toldAt } = question
  switch (leaf.kind) {
    case 'balance':
      return explainBalance(question, leaf.source)
    case 'amount':
      return ORDINARY
    case 'seller':
      return explainSeller(question)
    case 'storage': {
      const found = explainStorage(question, leaf.source)
      if (found.why === undefined || !isCompared) return found
      return { movers: found.movers, by: ['both sides move what was asked for'] }
    }
    case 'time': {
      const found = explainTime(question)
      if (found.why === undefined || !isCompared) return found
      return { movers: found.movers, by: ['both sides move what was asked for'] }
    }
    case 'code':
      return explainCode(question)
    case 'call':
      return explainCall(question, leaf)
    case 'unknown':
      if (leaf.source === TRANSIENT) return explainTransient(subject, branch)
      return { movers: [{ by: 'unknown', selectors: [] }], by: [], why: 'it reads a word whose place is not known' }
    default: {
      const movers: Mover[] = [{ by: 'chance', selectors: [] }]
      const by = toldAt(subject.address, branch.pc)
      if (by.length > 0) return { movers, by }
      const asked = leaf.kind === 'coins' ? 'the coins of an account' : 'what differs between two blocks'
      return { movers, by, why: `it asks for ${asked}` }
    }
  }
}

/** Who trades has a balance; that of an account which the code names is moved by that account. */
function explainBalance({ subject, branch, isCompared, toldAt }: Question, source: Source): Explanation {
  if (!isHolding(subject.facts.roles, source) || !asksOfFixed(branch.term, source)) return ORDINARY
  const movers: Mover[] = [{ by: 'trading', selectors: [] }]
  const by = toldAt(subject.address, branch.pc)
  if (by.length > 0) return { movers, by }
  if (isCompared) return { movers, by: ['both sides move what was asked for'] }
  return { movers, by: [], why: 'it asks for what one account has' }
}

/** Whether the entry of an account that the code names goes into the term. */
const asksOfFixed = (term: Term, source: Source): boolean =>
  someTerm(term, (part) => {
    const key = storageKeyOf(part)
    const { id, keys } = key ? classifyKey(key) : { id: '', keys: [] }
    return id === variableOf(source) && keys.some(({ op }) => op === 'const')
  })

function explainSeller({ subject, branch, toldAt }: Question): Explanation {
  const by = toldAt(subject.address, branch.pc)
  const { from, to } = transferParties(branch.fn)
  const isAccount = (part: Term) => part.op === 'CALLER' || part.op === 'ORIGIN' || from(part) || to(part)
  if (by.length > 0 || !computesWithAccounts(branch.term, isAccount)) return { movers: [], by }
  return { movers: [], by, why: 'it computes with the digits of an account' }
}

/** A moment that has passed never comes again; what the caller names ends with what he signed. */
function explainTime({ subject, branch, toldAt }: Question): Explanation {
  const movers: Mover[] = [{ by: 'time', selectors: [] }]
  const by = toldAt(subject.address, branch.pc)
  if (by.length > 0) return { movers, by }
  if (isSettled(subject, branch.term)) return { movers: [], by: ['that time is over'] }
  if (neverComesTime(subject, branch.term)) return { movers: [], by: ['that time never comes'] }
  const comparison = branch.hostile === undefined ? undefined : readComparison(branch.term, branch.hostile)
  if (comparison) {
    const { small, big } = comparison
    if (isClock(small) && !isTimed(big)) return { movers: [], by: ['time can only open it'] }
    if (isClock(big) && small.op === 'calldata') return ORDINARY
  }
  return { movers, by, why: 'it asks for the time' }
}

/** Whether the clock is only compared with what it never reaches, wherever in the term. */
function neverComesTime(subject: Subject, term: Term): boolean {
  let isReached = false
  walkTerm(term, (part) => {
    if (!isTimed(part)) return false
    const { small, big } = readComparison(part, true) ?? {}
    if (small && big && (isNever(subject, small, big) || isNever(subject, big, small))) return false
    isReached ||= part.args.length === 0
    return undefined
  })
  return !isReached
}

/** The clock itself, or some years from it: in smaller units than seconds larger numbers come. */
const isNever = (subject: Subject, moment: Term, clock: Term): boolean =>
  (subject.value(moment) ?? 0n) >= END_OF_TIME && isShiftedClock(subject, clock)

function isShiftedClock(subject: Subject, term: Term): boolean {
  const [a, b] = term.args
  if (isClock(term) || a === undefined || b === undefined) return isClock(term)
  const isFew = (part: Term) => (subject.value(part) ?? MANY_YEARS) < MANY_YEARS
  if (term.op === 'ADD')
    return [[a, b] as const, [b, a] as const].some(([x, y]) => isShiftedClock(subject, x) && isFew(y))
  return term.op === 'SUB' && isShiftedClock(subject, a) && isFew(b)
}

const MANY_YEARS = 1n << 32n

/** Seconds, or blocks: more than any chain will see. */
const END_OF_TIME = 1n << 40n

const isTimed = (term: Term) => hasSource(term, SOURCE.timestamp) || hasSource(term, SOURCE.blockNumber)

/**
 * Compilers ask whether what they call is there. Who trades may have code: wallets are contracts,
 * or delegate (EIP-7702).
 */
function explainCode({ branch, subject, isCompared, toldAt }: Question): Explanation {
  const asked: Term[] = []
  walkTerm(branch.term, (part) => {
    if (part.op === 'EXTCODESIZE' && part.args[0]) asked.push(part.args[0])
    return undefined
  })
  const called = new Set(branch.fn.effects.flatMap((effect) => (effect.kind === 'call' ? [effect.target] : [])))
  if (asked.length > 0 && asked.every((account) => called.has(account))) return ORDINARY
  const by = toldAt(subject.address, branch.pc)
  if (by.length > 0) return { movers: [], by }
  if (isCompared) return { movers: [], by: ['both sides move what was asked for'] }
  return { movers: [], by, why: 'it asks for the code of an account' }
}

const TRANSIENT = environmentSource('TLOAD')

/**
 * A word that the same function closes and opens again is a lock, which no trade finds closed. Any
 * other tells what came before in the transaction, as whether one bought in it.
 */
function explainTransient({ facts }: Subject, { fn, term }: DecidingBranch): Explanation {
  if (asksGrantsAlone(facts, fn, term)) return { movers: [], by: ['it asks for what its owner allows its caller'] }
  const isLock = (key: Term | undefined) => {
    const stored = fn.effects.flatMap((effect) =>
      effect.kind === 'transient' && effect.key === key ? [effect.value] : [],
    )
    return stored.every(({ taint }) => taint.sources.every((source) => source === TRANSIENT)) && stored.some(isOpening)
  }
  let areLocks = true
  walkTerm(term, ({ op, args }) => {
    if (op === 'TLOAD') areLocks &&= isLock(args[0])
    return op !== 'TLOAD'
  })
  if (areLocks) return { movers: [], by: ['it asks for a lock that the same call opens again'] }
  return {
    movers: [{ by: 'unknown', selectors: [] }],
    by: [],
    why: 'it asks for what the same transaction noted before',
  }
}

/** Nothing, or what other fields share the word. */
const isOpening = ({ op, value, args }: Term) =>
  op === 'const' ? value === 0n : op === 'AND' && args.some((arg) => arg.op === 'TLOAD')

/** The last precompile of any chain that is served. */
export const LAST_PRECOMPILE = 0x100n

function explainCall({ subject, branch, toldAt, toldOfTarget }: Question, { call }: Leaf): Explanation {
  if (call === undefined) return { movers: [], by: [], why: 'it asks for the answer of an unknown call' }
  if (call.target.op === 'const' && call.target.value <= LAST_PRECOMPILE) return explainPrecompile(branch, call)
  if (!isOpenNow(subject, branch.fn, call.node) && !canBeOpened(subject, branch.fn, call.node))
    return { movers: [], by: ['the contract that it would ask was never named'] }
  const movers: Mover[] = [{ by: 'contract', selectors: [] }]
  const ofTarget = call.target.taint.sources.flatMap(toldOfTarget)
  const by = [...new Set([...toldAt(subject.address, call.pc), ...toldAt(subject.address, branch.pc), ...ofTarget])]
  if (by.length > 0) return { movers, by }
  if (call.target.op === 'calldata') return { movers, by: ['it asks an account that the caller names'] }
  if (asksOwnBook(subject, call)) return { movers: [], by: ['it asks a book that its own transfers alone write'] }
  if (exchangesOf(subject).has(call.target)) return { movers, by: ['it asks an exchange'] }
  if (isPayment(call)) return { movers, by: ['it pays an account'] }
  if (call.target.op === 'ADDRESS') return { movers: [], by: ['it asks itself'] }
  const what = isShapeCheck(branch.term) ? 'another contract can make it fail' : 'another contract answers it'
  return { movers, by, why: what }
}

const exchangesKnown = new WeakMap<Subject, ReadonlySet<Term>>()

/** What the code swaps through; that is asked for the wrapped coin, prices and pools as well. */
function exchangesOf(subject: Subject): ReadonlySet<Term> {
  const known = exchangesKnown.get(subject)
  if (known) return known
  const effects = subject.facts.functions.flatMap((fn) => fn.effects)
  const found = new Set(
    effects.flatMap((effect) =>
      effect.kind === 'call' && effect.selector.op === 'const' && SWAPS.has(effect.selector.value)
        ? [effect.target]
        : [],
    ),
  )
  exchangesKnown.set(subject, found)
  return found
}

/** What goes into a precompile is asked for like everything else; digits can hide in a hash. */
function explainPrecompile({ fn }: DecidingBranch, { inputTaint }: CallEffect): Explanation {
  if (isPermit(fn) || !inputTaint.sources.some((source) => source === SOURCE.caller || source === argumentSource(4)))
    return ORDINARY
  return { movers: [], by: [], why: 'it computes with the digits of an account' }
}

/**
 * Whether a permit asks whose signature it is, which decides for the signer alone, whatever goes
 * into the message: his counter, and the name of the contract.
 */
export function asksSignature({ fn, term }: DecidingBranch): boolean {
  const asked = fn.effects.filter(
    (effect) => effect.kind === 'call' && effect.target.op === 'const' && effect.target.value === 1n,
  )
  return isPermit(fn) && asked.some(({ pc }) => hasSource(term, callSource(pc)))
}

const isPayment = ({ inputSize }: CallEffect) => inputSize.op === 'const' && inputSize.value === 0n
