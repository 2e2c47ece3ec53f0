import { createDecisionsInspector, type Decision } from '../../evm/inspectors/decisions.js'
import { isSmall, type Leaf, type Slot, valueIf } from '../../evm/inspectors/term.js'
import { ADDRESS_MASK } from '../../hex.js'
import { travel } from '../../simulation/pending-block.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { keyOf, leavesOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import type { AskedPlans } from './asked-plans.js'
import { fixArgument, fixKeys, isOneWord } from './choices.js'
import { type ActingHolder, type HolderFinder, mayHold, toAccount } from './holders.js'
import type { Plan } from './plans.js'
import { type Move, perform } from './play.js'
import type { Choice } from './power.js'
import type { Stage } from './stage.js'
import { keysOfWord, writesOf } from './writers.js'

/** Ways on from one refusal. */
const MAX_WAYS = 4
/** What a holder waits for: beyond, it is no plan. Seconds. */
export const LONGEST_WAIT = 400 * 86_400

/** What a way is looked for with. */
export interface WaySearch {
  stage: Stage
  finder: HolderFinder
  plans: readonly Plan[]
  plansOf: AskedPlans
  budget: { tries: number }
  hasBudget: () => boolean
}

/** Moves that end with the last of `moves` and all go through; `undefined` where none was found. */
export function findWay(
  search: WaySearch,
  moves: readonly Move[],
  depth: number,
  before?: string,
): readonly Move[] | undefined {
  const { budget, hasBudget } = search
  budget.tries -= 1
  if (budget.tries < 0 || !hasBudget()) return undefined
  const { at, refusal } = attempt(search.stage, moves)
  if (at === moves.length) return moves
  if (depth === 0 || refusal === undefined || !isSmall(refusal.condition)) return undefined
  // The same refusal again: the last step was of no use.
  const here = [moves.length - at, refusal.codeAddress, refusal.pc, ...leavesOf(refusal.condition).map(keyOf)].join()
  if (here === before) return undefined
  for (const way of waysOn(search, moves, at, refusal).slice(0, MAX_WAYS)) {
    const found = findWay(search, way, depth - 1, here)
    if (found !== undefined) return found
  }
  return undefined
}

/** How many of the moves went through, and the branch at which the next one was refused. */
export function attempt(stage: Stage, moves: readonly Move[]): { at: number; refusal: Decision | undefined } {
  const decisions = createDecisionsInspector()
  const { steps, acted } = onBranch(stage, () => perform(stage, moves, () => [decisions]))
  if (acted !== undefined) return { at: moves.length, refusal: undefined }
  return { at: steps.length - 1, refusal: decisions.finish().blocking }
}

function waysOn(search: WaySearch, moves: readonly Move[], at: number, { condition }: Decision): (readonly Move[])[] {
  const refused = moves[at]
  if (refused === undefined) return []
  const instead = (move: Move) => [...moves.slice(0, at), move, ...moves.slice(at + 1)]
  const found: (readonly Move[])[] = []
  // What the call itself can do comes before what others have to do.
  const leaves = leavesOf(condition).toSorted((a, b) => Number(a.kind === 'slot') - Number(b.kind === 'slot'))
  for (const leaf of leaves) {
    if (leaf.kind === 'environment' && leaf.name === 'TIMESTAMP') {
      const seconds = solve(condition, leaf).find((time) => time > leaf.value && time - leaf.value <= LONGEST_WAIT)
      if (seconds !== undefined)
        found.push(instead({ ...refused, waitSeconds: (refused.waitSeconds ?? 0) + Number(seconds - leaf.value) + 1 }))
    }
    if (leaf.kind === 'environment' && leaf.name === 'NUMBER') {
      const height = solve(condition, leaf).find((number) => number > leaf.value)
      const seconds = height === undefined ? LONGEST_WAIT + 1 : secondsUntil(search.stage, height - leaf.value)
      if (seconds <= LONGEST_WAIT)
        found.push(instead({ ...refused, waitSeconds: (refused.waitSeconds ?? 0) + seconds }))
    }
    if (leaf.kind === 'argument')
      for (const value of solve(condition, leaf).slice(0, 1))
        found.push(...withArgument(search, refused, leaf, value).map(instead))
    if (leaf.kind === 'environment' && leaf.name === 'CALLER')
      for (const value of solve(condition, leaf)) found.push(...withCaller(search, refused, value).map(instead))
    if (leaf.kind === 'slot') {
      const announced = announcedWays(search, moves, at, leaf)
      // A hash of what the call says is written by no other way.
      const writers = announced.length > 0 ? [] : movesThatWrite(search, moves, at, leaf, condition)
      found.push(...announced, ...writers.map((move) => [...moves.slice(0, at), move, ...moves.slice(at)]))
    }
  }
  return found
}

/** Keys beyond accounts are hashes. */
const isOfHash = ({ entry }: Slot): boolean => entry !== undefined && entry.key > ADDRESS_MASK

/**
 * What is asked for by the hash of its own arguments was announced before by a call of the same
 * arguments, which may ask more of them: then both calls say what that one takes.
 */
function announcedWays(search: WaySearch, moves: readonly Move[], at: number, leaf: Slot): (readonly Move[])[] {
  const { stage, plans, plansOf, budget } = search
  const refused = moves[at]
  if (refused === undefined || refused.choice.call !== undefined || !isOfHash(leaf)) return []
  const [before, after] = [moves.slice(0, at), moves.slice(at + 1)]
  const typesOf = ({ parameters }: Plan) => parameters.map(({ type }) => type).join()
  const isOfSame = (plan: Plan) =>
    plan !== refused.plan && writesOf(plan, leaf).length > 0 && typesOf(plan) === typesOf(refused.plan)
  return [...plans, ...plansOf(leaf)].filter(isOfSame).flatMap((plan): (readonly Move[])[] => {
    const holder = holderFor(plan, refused.holder)
    if (holder === undefined || budget.tries <= 0) return []
    budget.tries -= 1
    const { choice } = refused
    const { at: done, refusal } = attempt(stage, [...before, { plan, holder, choice }])
    const saying = (said: Choice): readonly Move[] => [
      ...before,
      { plan, holder, choice: said },
      { ...refused, choice: said },
      ...after,
    ]
    if (done > before.length) return [saying(choice)]
    if (refusal === undefined || done < before.length || !isSmall(refusal.condition)) return []
    return leavesOf(refusal.condition).flatMap((asked) => {
      const index = asked.kind === 'argument' ? (asked.offset - 4) / 32 : -1
      if (!isOneWord(plan.parameters[index]?.type)) return []
      return solve(refusal.condition, asked)
        .slice(0, 1)
        .map((value) => saying(fixArgument(choice, index, value)))
    })
  })
}

const isSame = (a: Leaf) => (b: Leaf) =>
  a.kind === b.kind &&
  (a.kind === 'slot' && b.kind === 'slot'
    ? a.slot === b.slot && a.address === b.address
    : a.kind === 'environment' && b.kind === 'environment'
      ? a.name === b.name
      : a === b)
export const solve = (condition: Decision['condition'], leaf: Leaf) => solveLeaf(condition, isSame(leaf), leaf.value)

/** Seconds in which the chain makes so many blocks. */
export function secondsUntil({ fork: { chain, evm } }: Stage, blocks: bigint): number {
  const perDay = travel(chain, evm.block, DAY_MS).number - evm.block.number
  return perDay > 0n ? Number((blocks * 86_400n) / perDay) + 60 : LONGEST_WAIT + 1
}
const DAY_MS = 86_400_000

/** The same call with this value for the argument at which the leaf was read. */
function withArgument(
  search: WaySearch,
  move: Move,
  { offset }: Extract<Leaf, { kind: 'argument' }>,
  value: bigint,
): Move[] {
  const index = (offset - 4) / 32
  if (!isOneWord(move.plan.parameters[index]?.type)) return []
  const same = { ...move, choice: fixArgument(move.choice, index, value) }
  // Who is named may have to act itself.
  return move.plan.parameters[index]?.type === 'address' ? [...withCaller(search, same, value), same] : [same]
}

/** The same call by the account that is asked for. */
function withCaller({ stage, finder }: WaySearch, move: Move, value: bigint): Move[] {
  const address = toAccount(value)
  if (address === undefined || !mayHold(stage, address) || address === stage.token) return []
  return [{ ...move, holder: finder.describe(address, false) }]
}

/** Who may call it; where no address was found, the account that acts next may be the one. */
function holderFor({ holders }: Plan, actor: ActingHolder | undefined): ActingHolder | undefined {
  const known = holders.find(({ address }) => address !== undefined)
  return known ?? (holders.some(({ kind }) => kind === 'unknown') ? actor : undefined)
}

/** Choices of one writer that are looked at. */
const MAX_WRITER_CHOICES = 8

/**
 * Calls that write the word so that the branch goes the other way; and calls that were refused,
 * which may need others before them.
 */
export function movesThatWrite(
  { stage, plans, plansOf, budget }: WaySearch,
  moves: readonly Move[],
  at: number,
  leaf: Slot,
  condition: Decision['condition'],
  actor = moves[at]?.holder,
): Move[] {
  const before = moves.slice(0, at)
  const truth = condition.value !== 0n
  const flips = (value: bigint) =>
    (valueIf(condition, (each) => (isSame(leaf)(each) ? value : undefined)) !== 0n) !== truth
  const wanted = solve(condition, leaf)
  const [working, refused]: [Move[], Move[]] = [[], []]
  for (const plan of [...plans, ...plansOf(leaf)]) {
    if (writesOf(plan, leaf).length === 0) continue
    const holder = holderFor(plan, actor)
    if (holder === undefined) continue
    let isRefusedAlways = true
    const about = { wanted, leaf, refused: moves[at]?.choice }
    for (const choice of choicesFor(stage, plan, about).slice(0, MAX_WRITER_CHOICES)) {
      const move: Move = { plan, holder, choice }
      if (budget.tries <= 0) break
      budget.tries -= 1
      const [isDone, value] = onBranch(stage, () => {
        const { acted } = perform(stage, [...before, move])
        return [acted !== undefined, stage.fork.evm.storage(leaf.address, leaf.slot)] as const
      })
      if (isDone) isRefusedAlways = false
      if (isDone && flips(value)) {
        working.push(move)
        break
      }
    }
    const [first] = plan.choices
    // What was refused once is no help against the same refusal.
    if (isRefusedAlways && first && !moves.some((move) => move.plan === plan))
      refused.push({ plan, holder, choice: first })
  }
  return [...working, ...refused]
}

/**
 * Calls that name the entry which the word is, and write what is wanted there: a number, or the
 * account that acts afterwards.
 */
function choicesFor(
  { fresh }: Stage,
  { choices, parameters }: Plan,
  { wanted, leaf, refused }: { wanted: readonly bigint[]; leaf: Slot; refused: Choice | undefined },
): Choice[] {
  const [first] = choices
  if (first === undefined) return []
  const fixed = fixKeys(parameters, keysOfWord(leaf))
  const named = { ...first, ...(fixed.length > 0 && { fixed }) }
  const account: Choice[] = wanted.includes(BigInt(fresh)) ? [{ ...named, address: 'fresh', others: 'fresh' }] : []
  // What is announced and what is done later are told by the same words.
  const announced: Choice[] = refused?.call ? [{ ...refused, number: first.number, flag: first.flag }] : []
  return [
    ...announced,
    ...account,
    ...wanted.map((number) => ({ ...named, number })),
    ...(fixed.length > 0 ? [named] : []),
    ...choices,
  ]
}
