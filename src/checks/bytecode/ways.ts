import type { WriteEffect } from '../../bytecode/effects.js'
import { evaluateTerm } from '../../bytecode/evaluate.js'
import type { FunctionFacts, Located } from '../../bytecode/facts.js'
import { findReachable, findReachableFrom } from '../../bytecode/graph.js'
import type { Edge, Node } from '../../bytecode/interpret.js'
import { parseSource, touches } from '../../bytecode/source-bits.js'
import type { Term } from '../../bytecode/terms.js'
import { isDeadAddress } from '../dead-address.js'
import { assertInTime } from './deadline.js'
import type { Subject } from './subject.js'

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
  const open = mapFunctions(subject, ({ run }) => findReachable(run, (edge) => outcomeOf(subject, edge) !== false))
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
    const wider = mapFunctions(subject, ({ run }) =>
      findReachable(run, (edge) => outcomeOf(subject, edge) !== false || canTurn(edge)),
    )
    const grew = subject.facts.functions.some((fn) => (wider.get(fn)?.size ?? 0) > (open.get(fn)?.size ?? 0))
    open = wider
    if (!grew) break
  }
  laterKnown.set(subject, open)
  return open
}

const mapFunctions = ({ facts }: Subject, read: (fn: FunctionFacts) => Set<Node>): Open =>
  new Map(facts.functions.map((fn) => [fn, read(fn)]))

/** Whether the edge is taken in the present state; `undefined` where that depends on the call. */
function outcomeOf(subject: Subject, { condition, taken }: Edge): boolean | undefined {
  const value = condition && subject.value(condition)
  return value === undefined ? undefined : (value !== 0n) === taken
}

/** A write of a variable in a slot of its own, which the next call finds. */
type Setting = Located<WriteEffect> & { slot: bigint }

/** Says whether a write that can be reached makes a condition of storage come out the other way. */
function createTurner(subject: Subject, open: Open): (edge: Edge) => boolean {
  const settings = subject.facts.functions.flatMap((fn) => readSettings(subject, fn, open.get(fn)))
  const known = new Map<Term, boolean>()
  return ({ condition }) => {
    if (condition === undefined) return false
    const found = known.get(condition) ?? settings.some((setting) => turns(subject, setting, condition))
    known.set(condition, found)
    return found
  }
}

function readSettings(subject: Subject, fn: FunctionFacts, open: ReadonlySet<Node> | undefined): Setting[] {
  const writes = fn.effects.filter((effect) => effect.kind === 'write')
  return writes.flatMap((effect) => {
    if (effect.key.op !== 'const' || open?.has(effect.node) !== true) return []
    if (!hasLivingHolder(subject, fn, effect.node) || isWrittenAgain(effect, writes)) return []
    return [{ ...effect, slot: effect.key.value }]
  })
}

const ADDRESS_MASK = (1n << 160n) - 1n

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
  const isAsked = condition.taint.sources.some((source) => {
    const field = parseSource(source)
    return field?.id === `0x${setting.slot.toString(16)}` && touches(setting, source)
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
