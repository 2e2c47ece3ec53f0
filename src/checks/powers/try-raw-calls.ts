import { approve, buy } from '../../dex/legs.js'
import { FULL_BPS } from '../../dex/tax.js'
import type { Inspector } from '../../evm/inspector.js'
import { createDecisionsInspector, type Decisions } from '../../evm/inspectors/decisions.js'
import { operation, type Slot } from '../../evm/inspectors/term.js'
import { type Address, bytesToHex, hexToBytes, toPaddedHex } from '../../hex.js'
import { wait } from '../../simulation/fork-verbs.js'
import { onBranch } from '../on-branch.js'
import { type Acted, actAs } from './act.js'
import { encodeChoice } from './choices.js'
import type { DecisiveWords } from './decisive-words.js'
import { gravityOf } from './gravity.js'
import { type CodeEntry, NO_SELECTOR, TRANSFER, TRANSFER_FROM } from './hidden-entries.js'
import type { ActingHolder, HolderFinder } from './holders.js'
import { type Effect, lookAtTrade } from './look.js'
import { perform } from './play.js'
import type { Holder, Power, ProofStep } from './power.js'
import { findStraying, type Goal, isPast, listGoals } from './raw-goals.js'
import { otherwise, type RawInput } from './raw-input.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'
import type { Tried } from './try-plan.js'
import { wantedOf } from './try-setting.js'
import { writesOf } from './writers.js'

/** Calls that are made on the way to one write, and all of them. */
const MAX_TRIES = 24
const MAX_ALL_TRIES = 72
/** Places of writes that are looked for a way to. */
const MAX_GOALS = 8
/** Calls that went through whose effect on trade was looked at, for each entry. */
const MAX_LOOKS = 6
/** Tokens make people wait after a transfer: what is over by then was a limit of the moment. */
const SETTLING_MS = 3_600_000

/**
 * Looks for calls that no list of arguments shows: of the fallback with bytes and coins that it
 * asks for, of the standard functions with special arguments, and of functions that write what no
 * call of them was seen to write. The code tells where what a sale depends on is written; a call is
 * led there by solving each branch at which it leaves the way.
 */
export function tryRawCalls(stage: Stage, { codes, finder, decisive, all }: Swept, hasBudget: () => boolean): RawCalls {
  const budget = { tries: MAX_ALL_TRIES }
  const powers: Power[] = []
  const known = new Set(codes.flatMap(({ facts }) => facts.functions.flatMap(({ selector }) => selector ?? [])))
  const shown = new Set<CodeEntry>()
  const goals = listGoals(codes, all, decisive)
  let left = Math.max(0, goals.length - MAX_GOALS)
  let isUnreached = false
  for (const goal of goals.slice(0, MAX_GOALS)) {
    if (shown.has(goal.entry)) continue
    if (budget.tries <= 0) {
      left += 1
      continue
    }
    const { power, isReached } = onBranch(stage, () =>
      search({ stage, goal, decisive, finder, known, budget, hasBudget }),
    )
    if (power !== undefined) {
      shown.add(goal.entry)
      powers.push(power)
    } else if (!isReached && goal.entry.selector === NO_SELECTOR) isUnreached ||= !isSeenAtWork(stage, goal, all, known)
  }
  return { powers, left, isUnreached }
}

/**
 * Whether a call that a convention names, and no function takes, came this way all along: what it
 * does is told already. Transparent proxies read it in their fallback.
 */
function isSeenAtWork(stage: Stage, goal: Goal, all: readonly Tried[], known: ReadonlySet<string>): boolean {
  const ways = all.flatMap(({ plan, found }) =>
    plan.isConventional && plan.contract === goal.entry.contract && !known.has(plan.selector) ? found : [],
  )
  return ways.slice(0, MAX_LOOKS).some(({ moves }) =>
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
  finder: HolderFinder
  decisive: DecisiveWords
  all: readonly Tried[]
}

interface Search {
  stage: Stage
  goal: Goal
  decisive: DecisiveWords
  finder: HolderFinder
  /** Selectors of the functions, which are tried as such. */
  known: ReadonlySet<string>
  budget: { tries: number }
  hasBudget: () => boolean
}

function search(the: Search): { power: Power | undefined; isReached: boolean } {
  const { stage, goal, budget, hasBudget } = the
  const sender = goal.tried?.holder?.address ?? enterSender(stage, goal.entry)
  const open = [seedOf(stage, goal, sender)]
  const seen = new Set(open.map(markOf))
  let [tries, looks] = [0, 0]
  let worst: Power | undefined
  let isReached = false
  const add = (inputs: readonly RawInput[]) => {
    for (const input of inputs.toReversed()) {
      if (seen.has(markOf(input)) || !isOfEntry(the, input)) continue
      seen.add(markOf(input))
      open.push(input)
    }
  }
  for (let input = open.pop(); input !== undefined; input = open.pop()) {
    if (tries >= MAX_TRIES || budget.tries <= 0 || !hasBudget()) break
    tries += 1
    budget.tries -= 1
    const { decisions, effect, passed, changed } = attempt(the, input, looks < MAX_LOOKS)
    if (effect !== undefined && isWorse(effect, worst)) worst = toPower(the, input, { sender, effect, tries })
    if (worst !== undefined && worst.lossBps >= GRAVE_BPS) break
    if (changed) looks += 1
    const isThere = passed && isPast(goal, decisions)
    isReached ||= isThere
    add(isThere ? wishes(the, input, decisions) : leadBack(the, input, decisions))
  }
  return { power: worst, isReached }
}

/** From here on nothing worse is looked for. */
const GRAVE_BPS = FULL_BPS / 2

const isWorse = ({ kind, lossBps }: Effect, than: Power | undefined) =>
  than === undefined || gravityOf(kind, lossBps) > gravityOf(than.effect, than.lossBps)

/** One who holds some of the token where the entry moves it; any address at all for others. */
function enterSender({ newcomer, amount, fresh, effort }: Stage, { selector }: CodeEntry): Address {
  if (selector !== TRANSFER && selector !== TRANSFER_FROM) return fresh
  effort.trades += 1
  buy(newcomer, amount)
  return newcomer.trader.address
}

const markOf = ({ from, data, value, waitSeconds }: RawInput) => `${from} ${bytesToHex(data)} ${value} ${waitSeconds}`

/** The least of a call: its own address wherever one is asked for, and nothing of the token. */
function seedOf(stage: Stage, { entry: { selector }, tried }: Goal, from: Address): RawInput {
  const base = { from, value: 0n, waitSeconds: 0 }
  const [choice] = tried?.plan.choices ?? []
  if (tried && choice) {
    const data = encodeChoice(stage, from, selector, tried.plan.parameters, choice)
    return { ...base, data: hexToBytes(data) }
  }
  if (selector === NO_SELECTOR) return { ...base, data: new Uint8Array(0) }
  const own = toPaddedHex(BigInt(from), 32).slice(2)
  const none = '0'.repeat(64)
  const rest = selector === TRANSFER_FROM ? `${own}${own}${none}` : `${own}${none}`
  return { ...base, data: hexToBytes(`${selector}${rest}`) }
}

function isOfEntry({ goal: { entry }, known, stage }: Search, { data, from }: RawInput): boolean {
  const selector = bytesToHex(data.subarray(0, 4))
  if (stage.exchange.has(from)) return false
  return entry.selector === NO_SELECTOR ? !known.has(selector) : selector === entry.selector
}

interface Attempt {
  decisions: Decisions
  /** It went through; and it changed what a sale depends on. */
  passed: boolean
  changed: boolean
  effect: Effect | undefined
}

function attempt({ stage, goal }: Search, input: RawInput, mayLook: boolean): Attempt {
  return onBranch(stage, () => {
    const inspector = createDecisionsInspector({ isRaw: true })
    if (input.waitSeconds > 0) wait(stage.fork, input.waitSeconds * 1_000)
    stage.effort.calls += 1
    const acted = actAs(stage.fork, toStep(goal, input), stage.operator, [inspector])
    const decisions = inspector.finish()
    const passed = acted.success
    const changed = passed && goal.words.some((word) => changes(acted, word))
    if (!changed || !mayLook) return { decisions, passed, changed, effect: undefined }
    return { decisions, passed, changed, effect: worstOf(lookLater(stage)) }
  })
}

/** What became of trade; what is over when an hour has passed was a limit of the moment. */
function lookLater(stage: Stage): readonly Effect[] {
  wait(stage.fork, SETTLING_MS)
  for (const { context, held } of [stage.buyer, stage.bystander]) approve(context, held)
  return lookAtTrade(stage, { hasNumber: false }, false)
}

const isWord = (word: Slot, address: Address, slot: bigint) => word.address === address && word.slot === slot

const changes = ({ writes }: Acted, { address, slot }: Slot) => {
  const word = writes.get(address)?.get(slot)
  return word !== undefined && word.before !== word.after
}

const worstOf = (effects: readonly Effect[]): Effect | undefined =>
  effects.toSorted((a, b) => gravityOf(b.kind, b.lossBps) - gravityOf(a.kind, a.lossBps))[0]

/** Inputs that turn the branch at which the call strayed. */
function leadBack({ goal }: Search, input: RawInput, decisions: Decisions): RawInput[] {
  const strayed = findStraying(goal, decisions)
  return strayed === undefined ? [] : otherwise(input, strayed.condition)
}

/** Inputs with which the call writes what turns a condition of the sale. */
function wishes({ goal, decisive }: Search, input: RawInput, { stores }: Decisions): RawInput[] {
  return goal.words.flatMap((word) => {
    const stored = stores.find(({ address, slot }) => isWord(word, address, slot))
    if (stored === undefined) return []
    const writer = { writes: writesOf(goal.entry, word), isHidden: true }
    return wantedOf(writer, word, decisive.conditions).flatMap((value) =>
      otherwise(input, operation('EQ', [stored.value, { kind: 'constant', value }])).slice(0, 1),
    )
  })
}

const toStep = ({ entry }: Goal, { from, data, value, waitSeconds }: RawInput): ProofStep => ({
  ...{ from, to: entry.contract, input: bytesToHex(data) },
  ...(value > 0n && { value }),
  ...(waitSeconds > 0 && { waitSeconds }),
})

interface Shown {
  sender: Address
  effect: Effect
  tries: number
}

function toPower({ goal, finder }: Search, input: RawInput, { sender, effect, tries }: Shown): Power {
  const { contract, selector, argumentTypes } = goal.entry
  const anyone: Holder = { kind: 'anyone', address: input.from, delaySeconds: 0, isHidden: false }
  const known = goal.tried?.holder?.address === undefined ? anyone : goal.tried.holder
  const { assumed: _, ...holder }: ActingHolder = input.from === sender ? known : finder.describe(input.from, true)
  return {
    ...{ contract, selector, argumentTypes, holder },
    ...{ effect: effect.kind, lossBps: effect.lossBps, worstCase: effect.outcome },
    ...(effect.purchasesGoOn !== undefined && { purchasesGoOn: effect.purchasesGoOn }),
    isBounded: effect.lossBps < FULL_BPS / 2,
    isReversible: undefined,
    tried: tries,
    proof: { steps: [toStep(goal, input)], outcome: effect.outcome },
  }
}
