import { isRangeCheck } from '../../../bytecode/arithmetic-check.js'
import { readComparison } from '../../../bytecode/comparison.js'
import type { DecidingBranch } from '../../../bytecode/deciding-branches.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import { isOverflowCheck } from '../../../bytecode/overflow-check.js'
import { replaceTerm } from '../../../bytecode/replace-term.js'
import { type Source, storageSource, UNKNOWN_STORAGE, variableOf } from '../../../bytecode/source.js'
import { bitsOfField, touches } from '../../../bytecode/source-bits.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { hasSource, type Term, type TermStore, walkTerm } from '../../../bytecode/terms.js'
import { readTokenFacts } from '../../../bytecode/token-facts.js'
import { mostAdded } from '../added-coins.js'
import type { Mover } from '../code-conditions.js'
import { isOwnAffair } from '../detectors/blacklist.js'
import { type FieldControl, readControls } from '../field-control.js'
import { keepsSet, neverLowers } from '../keeps-set.js'
import { type Subject, supplyOf } from '../subject.js'
import { canBeOpened, isOpenNow } from '../ways.js'
import { isBehindToldList } from './behind-list.js'
import type { Explanation, Question } from './explain.js'

/** Who writes a stored leaf of a condition, and what is known of that. */
export function explainStorage(question: Question, source: Source): Explanation {
  const { subjects, subject, branch, toldAt, toldOfTarget } = question
  const controls = subjects.flatMap((of) => readControls(of, source).map((control) => ({ of, control })))
  const all = subjects.map(({ facts }) => facts)
  const live = controls.filter(
    ({ of, control: { power, write } }) => power.kind !== 'renounced' && !isOwnAffair(of, write, all),
  )
  const harmful = live.filter(({ of, control }) => !onlyPasses(of.facts.store, branch, source, control))
  if (harmful.length > 0 && isRangeCheck(branch.term) && harmful.every(({ of, control }) => isFarFromFull(of, control)))
    return { movers: [], by: ['all coins there are do not fill it'] }
  if (harmful.length > 0) {
    const movers = [toMover(harmful.map(({ control }) => control))]
    const told = harmful.flatMap(({ of, control }) => toldAt(of.address, control.write.effect.pc))
    const by = [...new Set([...told, ...toldAt(subject.address, branch.pc), ...toldOfTarget(source)])]
    if (by.length > 0) return { movers, by }
    if (isBehindToldList(question, source))
      return { movers, by: ['it is asked of listed accounts alone, of which a rule tells'] }
    return { movers, by: [], why: 'a function can change it, and no rule tells what that does' }
  }
  if (subjects.some(({ facts }) => readTokenFacts(facts).isKept(source)))
    return subjects.every((of) => isClosed(of, source))
      ? { movers: [], by: ['what wrote it is over'] }
      : explainKept(question, source)
  if (live.length > 0) return { movers: [], by: ['it can only be opened'] }
  return { movers: [], by: [controls.length > 0 ? 'its holder is gone' : 'nothing changes it'] }
}

/** Times that all coins there are would have to be paid in. */
const ROUNDS = 1n << 20n
/** Of a word with a sign. */
const LARGEST = 1n << 255n

/**
 * Whether what the write adds to goes by the coins that are paid in, and is a number of which the
 * whole supply times as much still fits into a word: a dividend for each token.
 */
function isFarFromFull(subject: Subject, { write: { effect } }: FieldControl): boolean {
  const supply = supplyOf(subject)
  const now = effect.key.op === 'const' ? subject.word(effect.key.value) : undefined
  const most = effect.shift === 0 ? mostAdded(subject, effect) : undefined
  return supply > 0n && now !== undefined && most !== undefined && (now + most * ROUNDS) * supply < LARGEST
}

/** Whether no call comes to any write of it again, as of a pool that was noted before a launch. */
function isClosed(subject: Subject, source: Source): boolean {
  const { writesOf } = readTokenFacts(subject.facts)
  return [source, UNKNOWN_STORAGE]
    .flatMap(writesOf)
    .every(({ fn, effect: { node } }) => !isOpenNow(subject, fn, node) && !canBeOpened(subject, fn, node))
}

/** What transfers note themselves. */
function explainKept({ subject, branch, toldAt }: Question, source: Source): Explanation {
  const movers: Mover[] = [{ by: 'trading', selectors: [] }]
  const by = toldAt(subject.address, branch.pc)
  if (by.length > 0) return { movers, by }
  if (isOverflowCheck(branch.term)) return { movers: [], by: ['it keeps a sum within its word'] }
  if (isLock(subject, branch, source)) return { movers: [], by: ['it is set for the length of one call'] }
  return { movers, by: [], why: 'what transfers note decides it' }
}

function toMover(controls: readonly FieldControl[]): Mover {
  const isOpen = controls.some(({ power }) => power.kind === 'anyone')
  const selectors = new Set(controls.flatMap(({ write: { fn } }) => fn.selector ?? []))
  return { by: isOpen ? 'anyone' : 'holder', selectors: [...selectors].sort() }
}

/**
 * Whether what is written can only let the call pass, as a switch that opens trading, or an index
 * that grows and by which what is asked for is divided.
 */
function onlyPasses(store: TermStore, branch: DecidingBranch, source: Source, { write }: FieldControl): boolean {
  const { value } = write.effect
  if (asksToBeSet(store, branch, source) && keepsSet(write, source)) return true
  if (isDividedBy(branch, source) && neverLowers(write, source)) return true
  return (
    value.op === 'const' &&
    branch.hostile !== undefined &&
    outcomeWith(store, branch, source, value.value) === !branch.hostile
  )
}

/** Refuses zero and nothing else, as a division does. */
const asksToBeSet = (store: TermStore, branch: DecidingBranch, source: Source): boolean =>
  isField(withoutNot(branch.term), source) && outcomeWith(store, branch, source, 0n) === branch.hostile

function withoutNot(term: Term): Term {
  const [inner] = term.args
  return term.op === 'ISZERO' && inner !== undefined ? withoutNot(inner) : term
}

/**
 * Whether a number is asked for, put into another, or taken out of it, that falls as the field
 * grows: the field divides it, and is nowhere else.
 */
function isDividedBy({ term, hostile }: DecidingBranch, source: Source): boolean {
  const sides = readComparison(term, hostile !== true)
  if (sides === undefined) return false
  const { small, big } = sides
  if (hostile !== undefined && isQuotient(small, source) && !hasSource(big, source)) return true
  const isChanged = (whole: Term, by: Term) => {
    const [a, b] = by.args
    if ((by.op !== 'ADD' && by.op !== 'SUB') || a === undefined || b === undefined) return false
    const part = a === whole ? b : b === whole && by.op === 'ADD' ? a : undefined
    return part !== undefined && !hasSource(whole, source) && isQuotient(part, source)
  }
  return isChanged(small, big) || isChanged(big, small)
}

function isQuotient({ op, args: [whole, divisor] }: Term, source: Source): boolean {
  return (
    op === 'DIV' &&
    whole !== undefined &&
    divisor !== undefined &&
    !hasSource(whole, source) &&
    isField(divisor, source)
  )
}

/**
 * How the condition comes out with the field at a value, on each of the ways that ask for it;
 * `undefined` where other things decide too.
 */
function outcomeWith(store: TermStore, { term }: DecidingBranch, source: Source, value: bigint): boolean | undefined {
  const asked = waysOf(store, term).filter((way) => hasSource(way, source))
  const results = new Set(
    asked.map((way) => replaceTerm(store, way, (part) => (isField(part, source) ? store.constant(value) : undefined))),
  )
  const [result] = results
  return results.size === 1 && result?.op === 'const' ? result.value !== 0n : undefined
}

/** Ways in which a value may have come about. */
const MAX_WAYS = 16

/** The term with each of its choices made. */
function waysOf(store: TermStore, term: Term): Term[] {
  let ways = [term]
  for (let found = findChoice(term); found && ways.length <= MAX_WAYS; found = ways.map(findChoice).find(Boolean)) {
    const choice = found
    ways = ways.flatMap((way) =>
      choice.args.map((arg) => replaceTerm(store, way, (part) => (part === choice ? arg : undefined))),
    )
  }
  return [...new Set(ways)]
}

function findChoice(term: Term): Term | undefined {
  let found: Term | undefined
  walkTerm(term, (part) => {
    if (part.op === 'choice') found ??= part
    return found === undefined
  })
  return found
}

function isField(part: Term, source: Source): boolean {
  const key = storageKeyOf(part)
  if (key === undefined) return false
  const { id } = classifyKey(key)
  return source === storageSource(id, bitsOfField(part))
}

/**
 * A lock against reentrancy: the function that asks sets it to one constant, and to another
 * before it ends, with which the condition passes.
 */
function isLock(subject: Subject, branch: DecidingBranch, source: Source): boolean {
  const writes = branch.fn.effects.filter((effect) => effect.kind === 'write')
  const own = writes.filter((each) => variableOf(source) === classifyKey(each.key).id && touches(each, source))
  const values = new Set(own.map(({ value }) => value))
  if (values.size < 2 || ![...values].every(({ op }) => op === 'const')) return false
  if (branch.hostile === undefined) return true
  return [...values].some(({ value }) => outcomeWith(subject.facts.store, branch, source, value) === !branch.hostile)
}
