import type { WriteEffect } from '../../bytecode/effects.js'
import { evaluateTerm } from '../../bytecode/evaluate.js'
import { type FunctionFacts, type Located, readFunction } from '../../bytecode/facts.js'
import { findReachable, findReachableFrom } from '../../bytecode/graph.js'
import { type Assumption, type Edge, interpret, type Node, type Run } from '../../bytecode/interpret.js'
import { isComputedSlot } from '../../bytecode/named-slots.js'
import { fieldOfSource, fromStorage, SOURCE, UNKNOWN_VARIABLE } from '../../bytecode/source.js'
import { touches } from '../../bytecode/source-bits.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { hasSource, type Term } from '../../bytecode/terms.js'
import { ADDRESS_MASK } from '../../hex.js'
import { isDeadAddress } from '../dead-address.js'
import { assertInTime } from './deadline.js'
import type { Subject } from './subject.js'

const turnersKnown = new WeakMap<Subject, (condition: Term) => boolean>()

/** Whether a condition comes out one way from now on, as after a date that no call moves. */
export function isSettled(subject: Subject, condition: Term): boolean {
  if (truthOf(subject, condition) === undefined) return false
  const canTurn = turnersKnown.get(subject) ?? createTurner(subject, readOpenLater(subject))
  turnersKnown.set(subject, canTurn)
  return !canTurn(condition)
}

const functionsKnown = new WeakMap<Subject, Map<FunctionFacts, FunctionFacts>>()

/**
 * The function as it is from now on, where dates that have passed have closed ways of it: what ways
 * bring together comes from those alone that are left.
 */
export function fromNowOn(subject: Subject, fn: FunctionFacts): FunctionFacts {
  const all = functionsKnown.get(subject) ?? new Map<FunctionFacts, FunctionFacts>()
  functionsKnown.set(subject, all)
  const known = all.get(fn)
  if (known !== undefined) return known
  const { facts } = subject
  const decide = (condition: Term) => (isSettled(subject, condition) ? truthOf(subject, condition) : undefined)
  const hasPassed = fn.conditions.some(({ term }) => isTimed(term) && decide(term) !== undefined)
  const run = hasPassed ? walkWithout(subject, fn, decide, { steps: MERGED_STEPS }) : undefined
  const later = run ? readFunction(facts.store, run, facts.roles) : fn
  all.set(fn, later)
  return later
}

/** The nodes of each function that a call can come to. */
type Open = ReadonlyMap<FunctionFacts, ReadonlySet<Node>>

/**
 * Whether the present state lets any caller come here: switches that are off, initialisers that
 * are done.
 */
export const isOpenNow = (subject: Subject, fn: FunctionFacts, node: Node): boolean =>
  readOpenNow(subject).get(fn)?.has(node) === true

/**
 * Whether other calls can first change what closes the way now: a step that waits for another one,
 * a switch that a caller can throw. A done initialiser stays closed, because all that could undo it
 * is closed too.
 */
export const canBeOpened = (subject: Subject, fn: FunctionFacts, node: Node): boolean =>
  readOpenLater(subject).get(fn)?.has(node) === true

const nowKnown = new WeakMap<Subject, Open>()

function readOpenNow(subject: Subject): Open {
  const known = nowKnown.get(subject)
  if (known !== undefined) return known
  const open = mapFunctions(subject, (condition) => truthOf(subject, condition))
  nowKnown.set(subject, open)
  return open
}

const laterKnown = new WeakMap<Subject, Open>()
/** Calls before the one that counts. */
const MAX_CALLS_BEFORE = 4

function readOpenLater(subject: Subject): Open {
  const known = laterKnown.get(subject)
  if (known !== undefined) return known
  let open = readOpenNow(subject)
  for (let calls = 0; calls < MAX_CALLS_BEFORE; calls += 1) {
    assertInTime(subject)
    const canTurn = createTurner(subject, open)
    const wider = mapFunctions(subject, (condition) => (canTurn(condition) ? undefined : truthOf(subject, condition)))
    const grew = subject.facts.functions.some((fn) => (wider.get(fn)?.size ?? 0) > (open.get(fn)?.size ?? 0))
    open = wider
    if (!grew) break
  }
  laterKnown.set(subject, open)
  return open
}

function mapFunctions(subject: Subject, decide: Assumption): Open {
  const { facts } = subject
  const passes = ({ condition, taken }: Edge) => {
    const truth = condition && decide(condition)
    return truth === undefined || truth === taken
  }
  const budget = { steps: MERGED_STEPS }
  return new Map(
    facts.functions.map((fn) => {
      const reached = findReachable(fn.run, passes)
      const places = asksMerged(fn, reached, decide) ? walkAgain(subject, fn, decide, budget) : undefined
      return [fn, places ? new Set([...reached].filter(({ pc }) => places.has(pc))) : reached]
    }),
  )
}

/** All second walks of one code together; initialisers take some thousand each. */
const MERGED_STEPS = 100_000

/**
 * Whether a branch on storage alone asks what several ways brought together, so that only the way
 * that was taken decides it, as `bool fresh = version == 0 && !busy` does. Where nothing is
 * decided, no way is closed, and another walk would come to the same places.
 */
const asksMerged = ({ conditions }: FunctionFacts, reached: ReadonlySet<Node>, decide: Assumption) => {
  const asked = conditions.filter(({ node }) => reached.has(node))
  return (
    asked.some(({ term }) => isMerged(term) && decide(term) === undefined) &&
    asked.some(({ term }) => decide(term) !== undefined)
  )
}

const isMerged = ({ op, args: [inner], taint: { sources } }: Term): boolean =>
  (op === 'choice' && sources.length > 0 && sources.every(fromStorage)) ||
  (op === 'ISZERO' && inner !== undefined && isMerged(inner))

/** The places that a walk comes to which takes no way that is closed. */
function walkAgain(
  subject: Subject,
  fn: FunctionFacts,
  decide: Assumption,
  budget: { steps: number },
): ReadonlySet<number> | undefined {
  const run = walkWithout(subject, fn, decide, budget)
  return run && new Set(run.nodes.map(({ pc }) => pc))
}

/** A walk that takes no way that is closed; `undefined` where it did not come to its end. */
function walkWithout(
  { facts: { store, program } }: Subject,
  { entry, run }: FunctionFacts,
  decide: Assumption,
  budget: { steps: number },
): Run | undefined {
  if (run.steps > budget.steps) return undefined
  const again = interpret(store, program, entry, budget, run.dispatch, decide)
  return again.gaps.size > 0 ? undefined : again
}

/** How the condition comes out in the present state; `undefined` where that depends on the call. */
function truthOf(subject: Subject, condition: Term): boolean | undefined {
  const value = subject.value(condition)
  return value === undefined ? afterDate(subject, condition) : value !== 0n
}

/** What a comparison with the clock has come to for good; `undefined` before its date. */
function afterDate(subject: Subject, { op, args: [a, b] }: Term): boolean | undefined {
  if (op === 'ISZERO' && a) {
    const inner = afterDate(subject, a)
    return inner === undefined ? undefined : !inner
  }
  if ((op !== 'LT' && op !== 'GT') || !a || !b) return undefined
  const [clock, date] = isTimed(a) ? [a, b] : [b, a]
  const [now, then] = [passedBy(subject, clock), subject.value(date)]
  if (then === undefined || now === undefined || now <= then) return undefined
  // The clock is the larger one from now on.
  return (op === 'GT') === (clock === a)
}

const isTimed = (term: Term) => hasSource(term, SOURCE.timestamp) || hasSource(term, SOURCE.blockNumber)

/**
 * What the clock has come to, or the time since a date, or a multiple or a part of that: from now
 * on it only grows. `undefined` for what may fall, or soon not fit its word.
 */
function passedBy(subject: Subject, { op, args: [a, b] }: Term): bigint | undefined {
  if (op === 'TIMESTAMP') return subject.timestamp
  if (op === 'NUMBER') return subject.number
  if (a === undefined || b === undefined) return undefined
  const [clock, fixed] = op === 'SUB' || op === 'DIV' || isTimed(a) ? [a, b] : [b, a]
  const [passed, by] = [passedBy(subject, clock), subject.value(fixed)]
  if (passed === undefined || by === undefined) return undefined
  if (op === 'SUB') return by <= passed ? passed - by : undefined
  if (op === 'DIV') return by > 0n ? passed / by : undefined
  if (op !== 'ADD' && op !== 'MUL') return undefined
  const larger = op === 'ADD' ? passed + by : passed * by
  return larger < WIDEST_PASSED ? larger : undefined
}

/** A clock is 32 bits wide, and 33 in a century. */
const WIDEST_PASSED = 1n << 248n

/** A write that the next call finds: of a variable in a slot of its own, or of some entry. */
type Setting = Located<WriteEffect> & { slot: bigint | undefined }

/** Says whether a write that can be reached makes a condition of storage come out the other way. */
function createTurner(subject: Subject, open: Open): (condition: Term) => boolean {
  const settings = subject.facts.functions.flatMap((fn) => readSettings(subject, fn, open.get(fn)))
  const known = new Map<Term, boolean>()
  return (condition) => {
    const found = known.get(condition) ?? settings.some((setting) => turns(subject, setting, condition))
    known.set(condition, found)
    return found
  }
}

function readSettings(subject: Subject, fn: FunctionFacts, open: ReadonlySet<Node> | undefined): Setting[] {
  const writes = fn.effects.filter((effect) => effect.kind === 'write')
  return writes.flatMap((effect): Setting[] => {
    if (open?.has(effect.node) !== true || !hasLivingHolder(subject, fn, effect.node)) return []
    if (effect.key.op !== 'const') return [{ ...effect, slot: undefined }]
    return isWrittenAgain(effect, writes) ? [] : [{ ...effect, slot: effect.key.value }]
  })
}

/** No one in particular, or one who is there now. */
function hasLivingHolder(subject: Subject, fn: FunctionFacts, node: Node): boolean {
  const guards = fn.guardsOf(node)
  return (
    guards.length === 0 ||
    guards.some(({ kind, holder }) => {
      const value = kind === 'slot' || kind === 'constant' ? subject.value(holder) : undefined
      return value === undefined || !isDeadAddress(value & ADDRESS_MASK)
    })
  )
}

/** What the same call overwrites is for its own duration, as locks against reentrancy are. */
function isWrittenAgain(effect: Located<WriteEffect>, writes: readonly Located<WriteEffect>[]): boolean {
  const later = writes.filter(
    (other) =>
      other !== effect &&
      other.key === effect.key &&
      other.shift <= effect.shift &&
      other.shift + other.width >= effect.shift + effect.width,
  )
  if (later.length === 0) return false
  const behind = findReachableFrom(effect.node)
  return later.some(({ node, pc }) => (node === effect.node ? pc > effect.pc : behind.has(node)))
}

/** Whether the condition comes out otherwise, or may, with what is written. */
function turns({ facts, word, value }: Subject, setting: Setting, condition: Term): boolean {
  if (setting.slot === undefined) return mayHoldEntry(setting, condition)
  const isAsked = condition.taint.sources.some((source) => {
    const field = fieldOfSource(source)
    return field?.variable === `0x${setting.slot?.toString(16)}` && touches(setting, source)
  })
  if (!isAsked) return false
  const mask = ((1n << BigInt(setting.width)) - 1n) << BigInt(setting.shift)
  const { value: written } = setting
  const then = evaluateTerm(facts.store, condition, (slot) => {
    const old = word(slot)
    if (slot !== setting.slot) return old
    if (written.op !== 'const' || old === undefined) return undefined
    return (old & ~mask) | ((written.value << BigInt(setting.shift)) & mask)
  })
  const now = value(condition)
  return then === undefined || now === undefined || (then !== 0n) !== (now !== 0n)
}

/** Entries of that mapping or list, and words that may be. */
function mayHoldEntry({ key }: Setting, { taint }: Term): boolean {
  const { id } = classifyKey(key)
  return taint.sources.some((source) => {
    const field = fieldOfSource(source)
    return field !== undefined && (field.variable === id || id === UNKNOWN_VARIABLE || isComputedSlot(field.variable))
  })
}
