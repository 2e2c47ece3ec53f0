import { type DecidingBranch, readDecidingBranches, standardFunctions } from '../../../bytecode/deciding-branches.js'
import type { CallEffect } from '../../../bytecode/effects.js'
import type { ContractFacts, FunctionFacts } from '../../../bytecode/facts.js'
import { isOfNoAccount } from '../../../bytecode/guards.js'
import { isOverflowCheck } from '../../../bytecode/overflow-check.js'
import { fieldOfSource, fromStorage, type Source, variableOf } from '../../../bytecode/source.js'
import { isHolding } from '../../../bytecode/source-bits.js'
import type { Term } from '../../../bytecode/terms.js'
import { gatesOf, readTokenFacts } from '../../../bytecode/token-facts.js'
import type { LeafKind } from '../../conditions/leaf-kind.js'
import { readComparedConditions } from '../altered-transfers.js'
import { paysAsAsked } from '../amount-range.js'
import type { CodeCondition, CodeConditions } from '../code-conditions.js'
import { assertInTime } from '../deadline.js'
import { readControls } from '../field-control.js'
import { placeKey, type ToldPlaces } from '../find-flags.js'
import { isOfNumberedThings } from '../numbered-things.js'
import { neverComesToPass } from '../past-clock.js'
import type { Subject } from '../subject.js'
import { canBeOpened, fromNowOn, isOpenNow } from '../ways.js'
import { describeBranch } from './condition-text.js'
import { asksSignature, explainLeaf, LAST_PRECOMPILE, type Question } from './explain.js'
import { roomOf } from './keeps-within.js'
import { directSources, type Leaf, leavesOf } from './leaves.js'
import { createLookups, type Lookups, ofLookup } from './lookups.js'
import { isOutOfRange } from './stored-range.js'
import { createUnnoted } from './unnoted-holders.js'

/** Detectors that are about what a transfer, an approval or a balance comes to. */
const OF_TRANSFERS: ReadonlySet<string> = new Set([
  'allowance-bypass',
  'altered-approve',
  'altered-transfer',
  'blacklist',
  'environment-transfer',
  'external-transfer-call',
  'lying-balance',
  'modifiable-fee',
  'privileged-transfer',
  'trading-switch',
  'transfer-cooldown',
  'transfer-limit',
  'whitelist',
])

/** Conditions of one contract that are looked at: the largest ordinary token has 240 (measured). */
const MAX_CONDITIONS = 600

/** Whether the code is of a token that can be traded. */
export const isTradable = (facts: ContractFacts): boolean => readTokenFacts(facts).isToken && !isOfNumberedThings(facts)

/**
 * Reads everything that decides between a holder and his money out of code alone, and says what of
 * it the detectors, or the code itself, explain. Throws {@link DetectionOverdueError} where the
 * time is over.
 */
export function readConditions(subjects: readonly Subject[], told: ToldPlaces): CodeConditions {
  const others: CodeCondition[] = []
  let [ordinary, isTruncated] = [0, false]
  const toldAt = (address: Subject['address'], pc: number) =>
    [...(told.get(placeKey(address, pc)) ?? [])].filter((id) => OF_TRANSFERS.has(id))
  const toldOfTarget = readToldTargets(subjects, toldAt)
  const makesMoney = readMakers(told)
  for (const subject of subjects) {
    const compared = readComparedConditions(subject)
    for (const written of standardFunctions(subject.facts)) {
      const fn = fromNowOn(subject, written)
      const found = readDecidingBranches(subject.facts, fn)
      const pays = paysAsAsked(subject, written)
      const askUnnoted = createUnnoted(subjects, subject, fn)
      const lookups = createLookups(subject, fn)
      isTruncated ||= found.isTruncated
      const seen = new Set<number>()
      for (const asked of found.branches) {
        assertInTime(subject)
        if (ordinary + others.length >= MAX_CONDITIONS) {
          isTruncated = true
          break
        }
        // What no call can come to decides nothing.
        if (fn === written && !isOpenNow(subject, fn, asked.node) && !canBeOpened(subject, fn, asked.node)) continue
        const branch = askUnnoted(asked)
        if (branch === undefined) continue
        const isCompared = pays && (branch.isChoice || compared.has(asked.term))
        const condition = explain({ subjects, subject, branch, toldAt, toldOfTarget, isCompared, makesMoney, lookups })
        // A place in several contexts is one condition; the one without a reason counts.
        if (condition === undefined) ordinary += seen.has(branch.pc) ? 0 : 1
        else if (!seen.has(branch.pc) || condition.unexplained !== undefined) others.push(condition)
        seen.add(branch.pc)
      }
      others.push(...lookups.inOutcomes())
    }
  }
  return { ordinary, others: unique(others), isTruncated }
}

/** What can be made so large that a sum does not fit; no clock is. */
const LARGE: ReadonlySet<LeafKind> = new Set(['amount', 'balance', 'storage', 'call', 'unknown'])

/** What is so much narrower than its field, as an address beside votes, never fills it. */
const SPARE_BITS = 32
const WORD_BITS = 256
const isNarrow = (source: Source, room: number) => (fieldOfSource(source)?.width ?? WORD_BITS) <= room - SPARE_BITS

/**
 * Whether only numbers that transfers keep are asked to fit, which no holder of a privilege writes.
 */
function keepsOwnNumber({ subject, branch, makesMoney }: Asked): boolean {
  const room = roomOf(branch.term)
  if (room === undefined) return false
  const { roles } = subject.facts
  const { isKept } = readTokenFacts(subject.facts)
  return [...directSources(branch.fn, branch.term)].every((source) => {
    if (!fromStorage(source) || isHolding(roles, source)) return true
    if (isNarrow(source, room)) return true
    const controls = readControls(subject, source)
    return (
      isKept(source) && controls.every(({ power, write }) => power.kind === 'anyone' || makesMoney(subject, write.fn))
    )
  })
}

/** What is asked, and which functions are told to make or take tokens. */
interface Asked extends Question {
  makesMoney: ReturnType<typeof readMakers>
  lookups: Lookups
}

/** Detectors of what makes and takes tokens; records of votes move along with these. */
const OF_MONEY = ['hidden-mint', 'balance-seizure']

/** Functions that a detector tells of as making or taking tokens: what these reach, it weighs. */
const readMakers =
  (told: ToldPlaces) =>
  ({ address }: Subject, { effects }: FunctionFacts): boolean =>
    effects.some(({ pc, kind }) => {
      const ids = kind === 'write' ? told.get(placeKey(address, pc)) : undefined
      return ids !== undefined && OF_MONEY.some((id) => ids.has(id))
    })

/**
 * Whether the hostile side needs the zero address to call, a moment that was noted ahead of time,
 * or a number that does not fit or that nothing writes; there or in the last part of the `a || b`
 * that it begins.
 */
function neverComes(asked: Asked): boolean {
  const { subject, branch } = asked
  const { fn, node, hostile } = branch
  const guards = fn.guardsOf(node)
  if (guards.length === 1 && guards.every(isOfNoAccount)) return true
  const isEmpty = (part: DecidingBranch) =>
    keepsOwnNumber({ ...asked, branch: part }) ||
    isOutOfRange(asked.subjects, subject, part) ||
    (part.hostile !== undefined && neverComesToPass(subject, part.term, part.hostile))
  // Where each side has its own outcome, one that is over leaves the other.
  if (hostile === undefined) return [true, false].some((side) => neverComesToPass(subject, branch.term, side))
  if (isEmpty(branch)) return true
  const gate = gatesOf(subject.facts, fn).find(({ condition }) => condition.node === node)
  return gate !== undefined && isEmpty({ ...branch, ...gate.last, hostile: gate.last.fails })
}

/** `undefined` for what each token asks. */
function explain(question: Asked): CodeCondition | undefined {
  const { subject, branch } = question
  if (asksSignature(branch) || keepsOwnNumber(question) || neverComes(question)) return undefined
  // Whose balance a sum is put into decides nothing about whether it fits.
  const asked = directSources(branch.fn, branch.term)
  const isOfSum = isOverflowCheck(branch.term)
  const all = leavesOf(subject.facts, branch.fn, branch.term).filter(
    ({ kind, source }) => !isOfSum || (LARGE.has(kind) && asked.has(source) && !isNarrow(source, WORD_BITS)),
  )
  const leaves = asksForLength(branch.term, all) ? all.filter(({ kind }) => kind === 'call') : all
  const found = leaves.map((leaf) => explainLeaf(question, leaf))
  const by = [...new Set(found.flatMap((each) => each.by))]
  const why = found.find((each) => each.why !== undefined)?.why
  if (by.length === 0 && why === undefined) return undefined
  const looksUp = isOfSum ? [] : [...question.lookups.inCondition(branch.term)]
  const condition = {
    address: subject.address,
    selector: branch.fn.selector ?? '0x',
    pc: branch.pc,
    text: describeBranch(branch),
    outcome: branch.outcome,
    leaves: [...new Set(leaves.map(({ kind }) => kind))],
    asks: [...new Set(leaves.flatMap(({ kind, source }) => (asked.has(source) ? nameAsked(kind, source) : [])))],
    isLookup: false,
    movers: found.flatMap(({ movers }) => movers),
    explainedBy: by,
    unexplained: why,
  }
  if (looksUp.length === 0) return condition
  return { ...condition, ...ofLookup, leaves: [...new Set([...condition.leaves, ...looksUp])] }
}

/**
 * Whether only the length of what another contract answered is asked for, which that contract
 * decides, whatever it was asked. A precompile's answer is as long as the caller likes.
 */
function asksForLength(term: Term, leaves: readonly Leaf[]): boolean {
  const asked = readAskedFor(term)
  const isOfLength = asked.size === 1 && asked.has('RETURNDATASIZE')
  const isPrecompile = ({ target }: CallEffect) => target.op === 'const' && target.value <= LAST_PRECOMPILE
  return isOfLength && leaves.every(({ kind, call }) => kind !== 'call' || (call && !isPrecompile(call)))
}

/** What a condition computes with. Where an answer was laid cancels out of where it ends. */
function readAskedFor(term: Term): ReadonlySet<string> {
  const found = new Set<string>()
  const open = new Set([term])
  for (const { op, args } of open) {
    const [end, begin] = op === 'SUB' ? args : []
    if (args.length === 0 && op !== 'const') found.add(op)
    const [first, second] = end?.op === 'ADD' ? end.args : []
    const length = first === begin ? second : second === begin ? first : undefined
    for (const part of begin && length ? [length] : args) open.add(part)
  }
  return found
}

const nameAsked = (kind: LeafKind, source: Source): string | [] =>
  fromStorage(source) ? variableOf(source) : kind === 'seller' ? kind : []

/** Words that name contracts of which a detector tells that they are called. */
function readToldTargets(subjects: readonly Subject[], toldAt: Question['toldAt']): Question['toldOfTarget'] {
  const found = new Map<Source, readonly string[]>()
  for (const { address, facts } of subjects) {
    for (const effect of standardFunctions(facts).flatMap((fn) => fn.effects)) {
      const by = effect.kind === 'call' ? toldAt(address, effect.pc) : []
      if (effect.kind === 'call' && by.length > 0)
        for (const source of effect.target.taint.sources) found.set(source, by)
    }
  }
  return (source) => found.get(source) ?? []
}

/** One for each place of a function. */
function unique(conditions: readonly CodeCondition[]): CodeCondition[] {
  const places = new Map<string, CodeCondition>()
  for (const condition of conditions) {
    const key = `${condition.address} ${condition.selector} ${condition.pc}`
    if (places.get(key)?.unexplained === undefined) places.set(key, condition)
  }
  return [...places.values()]
}
