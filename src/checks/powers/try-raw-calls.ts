import { buy } from '../../dex/legs.js'
import { FULL_BPS } from '../../dex/tax.js'
import type { Inspector } from '../../evm/inspector.js'
import { createDecisionsInspector, type Decision, type Decisions } from '../../evm/inspectors/decisions.js'
import { type Address, bytesToHex, hexToBytes, toPaddedHex } from '../../hex.js'
import { onBranch } from '../on-branch.js'
import { createAskedPlans } from './asked-plans.js'
import { encodeChoice } from './choices.js'
import type { DecisiveWords } from './decisive-words.js'
import type { WaySearch } from './find-way.js'
import { gravityOf } from './gravity.js'
import { type CodeEntry, hiddenEntries, NO_SELECTOR, TRANSFER, TRANSFER_FROM } from './hidden-entries.js'
import type { ActingHolder, HolderFinder } from './holders.js'
import { isClosedForGood, isOfNoAccount } from './is-over.js'
import type { Effect } from './look.js'
import type { Plan } from './plans.js'
import { perform } from './play.js'
import type { Holder, Power, ProofStep } from './power.js'
import { createSentSteps } from './proof-scene.js'
import { type Attempt, attempt } from './raw-attempt.js'
import { findStraying, type Goal, isPast, listGoals } from './raw-goals.js'
import type { RawInput } from './raw-input.js'
import { isSecret, nextInputs, type RawWays } from './raw-ways.js'
import type { TokenCode } from './read-contracts.js'
import { showSecret } from './show-secret.js'
import type { Stage } from './stage.js'
import type { Tried } from './try-plan.js'
import { createWayEnds, type WayEnds } from './way-ends.js'
import { writesOf } from './writers.js'

/**
 * Calls that are made on the way to one write, and all of them; those of entries that are no
 * functions, which honest tokens hardly have, beside them, for each shape of the first call.
 */
const MAX_TRIES = 24
const MAX_ALL_TRIES = 72
const MAX_HIDDEN_TRIES = 32
const MAX_ALL_HIDDEN_TRIES = 288
/** Places of writes that are looked for a way to. */
const MAX_GOALS = 12
/** Calls that went through whose effect on trade was looked at, for each shape of an entry. */
const MAX_LOOKS = 6
/** Calls of functions that are tried before others. */
const MAX_WAY_TRIES = 96

/**
 * Looks for calls that no list of arguments shows: of the fallback with bytes and coins that it
 * asks for, of the standard functions with special arguments, and of functions that write what no
 * call of them was seen to write. The code tells where what a sale depends on is written; a call is
 * led there by solving each branch at which it leaves the way.
 */
export function tryRawCalls(stage: Stage, swept: Swept, hasBudget: () => boolean): RawCalls {
  const { codes, foreign, finder, decisive, all, plans } = swept
  const budgets = { functions: { tries: MAX_ALL_TRIES }, hidden: { tries: MAX_ALL_HIDDEN_TRIES } }
  const ways: WaySearch = {
    ...{ stage, finder, plans, hasBudget, budget: { tries: MAX_WAY_TRIES } },
    plansOf: createAskedPlans(stage, plans, finder),
  }
  const powers: Power[] = []
  const shown = new Set<CodeEntry>()
  const goals = listGoals(stage, [...codes, ...foreign], all, decisive)
  let left = Math.max(0, goals.length - MAX_GOALS)
  let isUnreached = false
  const writers = [...plans, ...[...codes, ...foreign].flatMap(hiddenEntries)]
  const isClosed = (end: Decision) =>
    isClosedForGood(end, (word) => writers.some((each) => writesOf(each, word).length > 0)) || isOfNoAccount(end, all)
  for (const goal of goals.slice(0, MAX_GOALS)) {
    if (shown.has(goal.entry)) continue
    const budget = isHidden(goal) ? budgets.hidden : budgets.functions
    if (budget.tries <= 0) {
      left += 1
      continue
    }
    const known = selectorsOf(goal, [...codes, ...foreign])
    const { power, secret, isReached, ends } = onBranch(stage, () =>
      search({ stage, goal, decisive, ways, known, budget, hasBudget }),
    )
    const isShut = power === undefined && !isReached
    const worst = isShut && secret ? showSecret(stage, goal, secret, decisive, hasBudget) : power
    if (worst !== undefined) {
      shown.add(goal.entry)
      powers.push(worst)
    }
    if (isShut && !secret && isHidden(goal) && !ends.areAll(isClosed))
      isUnreached ||= !isSeenAtWork(stage, goal, all, known)
  }
  return { powers, left, isUnreached }
}

const selectorsOf = ({ entry }: Goal, codes: readonly TokenCode[]): ReadonlySet<string> => {
  const own = codes.filter(({ account }) => account === entry.contract)
  return new Set(own.flatMap(({ facts }) => facts.functions.flatMap(({ selector }) => selector ?? [])))
}

const isHidden = ({ entry }: Goal) => entry.selector === NO_SELECTOR

/**
 * Whether a call that a convention names, and no function takes, came this way all along: what it
 * does is told already. Transparent proxies read it in their fallback.
 */
function isSeenAtWork(stage: Stage, goal: Goal, all: readonly Tried[], known: ReadonlySet<string>): boolean {
  const seen = all.flatMap(({ plan, found }) =>
    plan.isConventional && plan.contract === goal.entry.contract && !known.has(plan.selector) ? found : [],
  )
  return seen.slice(0, MAX_LOOKS).some(({ moves }) =>
    onBranch(stage, () => {
      const inspectors: Inspector<Decisions>[] = []
      const watch = () => {
        inspectors.push(createDecisionsInspector({ isRaw: true }))
        return inspectors.slice(-1)
      }
      const passed = perform(stage, moves, watch).acted !== undefined
      const decisions = inspectors.at(-1)?.finish()
      return passed && decisions !== undefined && isPast(goal, decisions) && findStraying(goal, decisions) === undefined
    }),
  )
}

/** What came of the search, and what it left out. */
export interface RawCalls {
  powers: Power[]
  /** Places of writes to which no way was looked for, because a bound was met. */
  left: number
  /** Code behind no function writes what a sale depends on, and no call was seen to reach it. */
  isUnreached: boolean
}

/** What was found before. */
export interface Swept {
  codes: readonly TokenCode[]
  /** Codes of contracts that a sale asks. */
  foreign: readonly TokenCode[]
  finder: HolderFinder
  decisive: DecisiveWords
  plans: readonly Plan[]
  all: readonly Tried[]
}

interface Search extends RawWays {
  stage: Stage
  /** Selectors of the functions, which are tried as such. */
  known: ReadonlySet<string>
  budget: { tries: number }
  hasBudget: () => boolean
}

interface Searched {
  power: Power | undefined
  isReached: boolean
  /** Who stands before a hash that no search passes. */
  secret: Holder | undefined
  ends: WayEnds
}

function search(the: Search): Searched {
  const { stage, goal, budget, hasBudget } = the
  const known = goal.tried?.holder?.address
  const { sender, purchase } = known ? { sender: known, purchase: [] } : enterSender(stage, goal.entry)
  const seeds = seedsOf(stage, goal, sender)
  const open: RawInput[] = []
  const seen = new Set(seeds.map(markOf))
  let [tries, looks] = [0, 0]
  let worst: Power | undefined
  let isReached = false
  let secret: Holder | undefined
  const ends = createWayEnds()
  const add = (inputs: readonly RawInput[]) => {
    for (const input of inputs.toReversed()) {
      if (seen.has(markOf(input)) || !isOfEntry(the, input)) continue
      seen.add(markOf(input))
      open.push(input)
    }
  }
  for (const seed of seeds) {
    if (isGrave(worst)) break
    open.splice(0, open.length, seed)
    looks = 0
    const last = tries + (isHidden(goal) ? MAX_HIDDEN_TRIES : MAX_TRIES)
    for (let input = open.pop(); input !== undefined; input = open.pop()) {
      if (tries >= last || budget.tries <= 0 || !hasBudget()) break
      tries += 1
      budget.tries -= 1
      const made = attempt(stage, goal, input, looks < MAX_LOOKS)
      if (made === undefined) {
        ends.note(undefined, undefined)
        continue
      }
      const { decisions, effect, passed, changed } = made
      if (effect !== undefined && isWorse(effect, worst))
        worst = toPower(the, input, { ...made, steps: [...purchase, ...made.steps], sender, effect, tries })
      if (isGrave(worst)) break
      if (changed) looks += 1
      isReached ||= passed && isPast(goal, decisions)
      const strayed = findStraying(goal, decisions) ?? (passed ? undefined : decisions.blocking)
      ends.note(decisions, strayed)
      if (strayed && isSecret(strayed)) secret = holderOf(the, input, sender)
      add(nextInputs(the, input, decisions, strayed))
    }
    // What was reached and did no harm needs no other shape.
    if (isReached && isHidden(goal)) break
  }
  return { power: worst, isReached, secret, ends }
}

/** From here on nothing worse is looked for. */
const GRAVE_BPS = FULL_BPS / 2

const isGrave = (found: Power | undefined) => found !== undefined && found.lossBps >= GRAVE_BPS

const isWorse = ({ kind, lossBps }: Effect, than: Power | undefined) =>
  than === undefined || gravityOf(kind, lossBps) > gravityOf(than.effect, than.lossBps)

interface Sender {
  sender: Address
  /** What comes before its calls in a proof. */
  purchase: readonly ProofStep[]
}

/** One who holds some of the token where the entry moves it; any address at all for others. */
function enterSender({ newcomer, amount, fresh, effort }: Stage, { selector }: CodeEntry): Sender {
  if (selector !== TRANSFER && selector !== TRANSFER_FROM) return { sender: fresh, purchase: [] }
  effort.trades += 1
  const bought = createSentSteps()
  buy({ ...newcomer, watch: () => [bought] }, amount)
  return { sender: newcomer.trader.address, purchase: bought.finish() }
}

const markOf = ({ from, data, value, waitSeconds, before = [] }: RawInput) =>
  [from, bytesToHex(data), value, waitSeconds, ...before.map(wordsOf)].join()

const wordsOf = ({ plan, holder, choice, waitSeconds }: NonNullable<RawInput['before']>[number]) => {
  const { address, others, number, flag, fixed } = choice
  return [plan.contract, plan.selector, holder.address, waitSeconds, address, others, number, flag, fixed].join(' ')
}

/**
 * The least of a call: its own address where one is asked for, and nothing of the token. A transfer
 * goes to another account as well: of a word that is written twice the last write alone is seen.
 */
function seedsOf(stage: Stage, { entry: { selector }, tried }: Goal, from: Address): RawInput[] {
  const base = { from, value: 0n, waitSeconds: 0 }
  const [choice] = tried?.plan.choices ?? []
  if (tried && choice) {
    const data = encodeChoice(stage, from, selector, tried.plan.parameters, choice)
    return [{ ...base, data: hexToBytes(data) }]
  }
  if (selector === NO_SELECTOR) return SHAPES.map((data) => ({ ...base, data: hexToBytes(data) }))
  const { fresh, newcomer } = stage
  const [own, other] = [from, from === fresh ? newcomer.trader.address : fresh].map((address) =>
    toPaddedHex(BigInt(address), 32).slice(2),
  )
  const none = '0'.repeat(64)
  const ends = selector === TRANSFER_FROM ? [`${own}${own}`] : selector === TRANSFER ? [own, other] : [own]
  return ends.map((accounts) => ({ ...base, data: hexToBytes(`${selector}${accounts}${none}`) }))
}

/** Words of call data, each of which points behind them where it is where a list or text begins. */
const HEAD = '100'.padStart(64, '0').repeat(8)
const TAIL = '0'.repeat(64 * 8)
/** Nothing at all, and such words, behind four bytes or none: places are no conditions. */
const SHAPES = ['0x', `0x${HEAD}${TAIL}`, `0x00000000${HEAD}${TAIL}`] as const

function isOfEntry({ goal: { entry }, known, stage }: Search, { data, from }: RawInput): boolean {
  const selector = bytesToHex(data.subarray(0, 4))
  const traders = [stage.buyer.context, stage.bystander.context].map(({ trader }) => trader.address)
  if (stage.exchange.has(from) || traders.includes(from)) return false
  return entry.selector === NO_SELECTOR ? !known.has(selector) : selector === entry.selector
}

interface Shown extends Pick<Attempt, 'steps'> {
  sender: Address
  effect: Effect
  tries: number
}

function toPower(the: Search, input: RawInput, { sender, effect, tries, steps }: Shown): Power {
  const { contract, selector, argumentTypes } = the.goal.entry
  return {
    ...{ contract, selector, argumentTypes, holder: holderOf(the, input, sender) },
    ...{ effect: effect.kind, lossBps: effect.lossBps, worstCase: effect.outcome },
    ...(effect.purchasesGoOn !== undefined && { purchasesGoOn: effect.purchasesGoOn }),
    isBounded: effect.lossBps < FULL_BPS / 2,
    isReversible: undefined,
    tried: tries,
    proof: { steps: [...steps] satisfies ProofStep[], outcome: effect.outcome },
  }
}

/** What anyone can do after a holder's call is that holder's to open. */
function holderOf({ goal, ways: { finder } }: Search, { from, before = [] }: RawInput, sender: Address): Holder {
  const anyone: ActingHolder = { kind: 'anyone', address: from, delaySeconds: 0, isHidden: false }
  const known = goal.tried?.holder?.address === undefined ? anyone : goal.tried.holder
  const own = from === sender ? known : finder.describe(from, true)
  const isOther = ({ kind, address }: ActingHolder) => kind !== 'anyone' && address !== from
  const opener = own.kind === 'anyone' ? before.find(({ holder }) => isOther(holder))?.holder : undefined
  const { assumed: _, ...holder } = opener ?? own
  return holder
}
