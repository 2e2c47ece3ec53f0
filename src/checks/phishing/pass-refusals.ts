import { type AskedCall, createDecisionsInspector, type Decision } from '../../evm/inspectors/decisions.js'
import { type Leaf, type Slot, sources, sourcesOf, type Term, valueIf } from '../../evm/inspectors/term.js'
import { type Address, type Hex, WORD_MASK, wordToAddress } from '../../hex.js'
import { branch, wait } from '../../simulation/fork-verbs.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { isFollowed, keyOf, leavesOf } from '../conditions/conditions.js'
import { dataOf, type Edit, type Values } from './call-data.js'
import { withEqualSides } from './guard-holders.js'
import type { Attempt } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import { AGREEING_CODE } from './probe-code.js'
import type { EntryPoint } from './read-functions.js'
import { createUnequalInspector, type Unequal } from './unequal-hashes.js'

/** How a call that was refused goes through. */
export interface Way {
  edits: Edit[]
  waitSeconds: number
  /** Wei that it asks for. */
  value: bigint
  words: { address: Address; slot: bigint; value: bigint }[]
  /** Accounts that the call names in a form of its own, and that are to agree. */
  agreeing: Address[]
  /** Hashes of what the caller would have to know. */
  secrets: Unequal[]
}

/** Words of storage that the contract's functions were seen to write, by {@link wordName}. */
export type WrittenWords = ReadonlySet<string>

export const wordName = (account: Address, slot: bigint): string => `${account} ${slot}`

/** Refusals of one call, one behind the other; and those that one check asks for their reason. */
const MAX_STEPS = 6
const MAX_QUESTIONS = 32
/** What a thief waits for: beyond, it is no plan. */
const LONGEST_WAIT_SECONDS = 400 * 86_400

interface RefusedCall {
  entry: EntryPoint
  marks: Values
  caller: Address
  written: WrittenWords
  /** Words that the contract keeps of one account: what if they said otherwise. */
  records?: WrittenWords
  /** As far as another caller came. */
  begun?: Way
  /** Nothing but settings is to be found out. */
  isOfSettings?: boolean
  /** What counts the questions, where that is not the whole check. */
  budget?: Budget
}

/**
 * Looks for what a refused call asks for: another word in its data, a later time, a richer victim,
 * a setting that some function writes, a secret. `asksForCaller` where it asks then who calls,
 * which is tried elsewhere; `undefined` where nothing helps.
 */
export function passRefusals(
  stage: Stage,
  { entry, marks, caller, written, records = NO_RECORDS, begun, isOfSettings = false, budget = stage }: RefusedCall,
): { way: Way; asksForCaller: boolean } | undefined {
  const way = begun ? copyOf(begun) : copyOf(NO_WAY)
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (!mayAsk(budget)) return undefined
    budget.questions += 1
    const data = dataOf(entry, marks, way.edits)
    const refusal = ask(stage, way, { from: caller, to: entry.at ?? stage.target, data, value: way.value })
    if (refusal === undefined) return { way, asksForCaller: false }
    if (asksForCaller(refusal)) return { way, asksForCaller: true }
    if (!answer(stage, way, refusal, { written, records, isOfSettings })) {
      // What it asks others for is enough to go on with: an attack gives the call other words.
      return refusal.calls.length > 0 && doesAnything(way) ? { way, asksForCaller: false } : undefined
    }
    if (isOtherFunction(stage, entry, dataOf(entry, marks, way.edits))) return undefined
  }
  return undefined
}

const NO_RECORDS: WrittenWords = new Set()

const NO_WAY: Way = { edits: [], waitSeconds: 0, value: 0n, words: [], agreeing: [], secrets: [] }

export const doesAnything = ({ edits, waitSeconds, value, words, agreeing, secrets }: Way): boolean =>
  waitSeconds > 0 || value > 0n || [edits, words, agreeing, secrets].some((each) => each.length > 0)

/** A way of its own, which can be gone on. */
const copyOf = ({ edits, words, agreeing, secrets, ...rest }: Way): Way => ({
  ...{ ...rest, edits: [...edits], words: [...words], agreeing: [...agreeing], secrets: [...secrets] },
})

/** How many refusals are asked for their reason. */
export interface Budget {
  questions: number
  most?: number
}

/** Whether the bound on questions leaves room for another. */
export const mayAsk = ({ questions, most = MAX_QUESTIONS }: Budget) => questions < most

/** What calls others has passed the guards before it: the last branch is not why it failed then. */
const asksForCaller = ({ blocking, calls }: Refusal) =>
  blocking !== undefined && calls.length === 0 && leavesOf(blocking.condition).some(isCaller)

const isCaller = (leaf: Leaf) => leaf.kind === 'environment' && (leaf.name === 'CALLER' || leaf.name === 'ORIGIN')

/**
 * Whether the call is refused for who calls it, whatever it says: the caller is compared with a
 * constant, or with a word that no argument chooses.
 */
export function refusesCaller(stage: Stage, call: Attempt): boolean {
  const refusal = ask(stage, NO_WAY, call)
  if (refusal?.blocking === undefined || !asksForCaller(refusal)) return false
  const { condition } = refusal.blocking
  return leavesOf(condition).every((leaf) => isCaller(leaf) || (leaf.kind === 'slot' && leaf.entry === undefined))
}

/** Whether the data has become that of another function, which is tried by itself. */
const isOtherFunction = ({ entries }: Stage, { selector }: EntryPoint, data: Hex) =>
  selector === undefined
    ? entries.some((entry) => entry.selector !== undefined && data.startsWith(entry.selector))
    : !data.startsWith(selector)

/** Brings about on the fork what the way needs besides its call data. */
export function prepareWay({ fork }: Stage, { waitSeconds, words, agreeing, secrets }: Way): void {
  const { evm } = fork
  for (const { address, slot, value } of words) evm.setStorage(address, slot, value)
  for (const address of agreeing) evm.setCode(address, AGREEING_CODE)
  for (const { codeAddress, pc } of secrets) evm.setCode(codeAddress, withEqualSides(evm.code(codeAddress), pc))
  if (waitSeconds > 0) wait(fork, waitSeconds * 1_000)
}

interface Refusal {
  blocking: Decision | undefined
  calls: readonly AskedCall[]
  unequal: Unequal | undefined
}

/** Why the call is refused now; `undefined` where it is not. */
function ask(stage: Stage, way: Way, call: Attempt): Refusal | undefined {
  const decisions = createDecisionsInspector()
  const hashes = createUnequalInspector()
  const { status } = branch(stage.fork, () => {
    prepareWay(stage, way)
    if (way.value > 0n) stage.fork.evm.setBalance(call.from, way.value)
    return stage.fork.evm.read(call, [decisions, hashes])
  })
  const { blocking, calls } = decisions.finish()
  return status === 'success' ? undefined : { blocking, calls, unequal: hashes.finish() }
}

/** Whether something could be done about it. */
function answer(
  stage: Stage,
  way: Way,
  { blocking, calls, unequal }: Refusal,
  { written, records, isOfSettings }: { written: WrittenWords; records: WrittenWords; isOfSettings: boolean },
): boolean {
  const codeless = calls.find(({ to, target }) => isOfCall(target) && stage.fork.evm.code(to).length === 0)
  if (codeless !== undefined && !way.agreeing.includes(codeless.to)) {
    way.agreeing.push(codeless.to)
    return true
  }
  if (blocking !== undefined && isFollowed(blocking.condition)) {
    const { condition } = blocking
    const leaves = leavesBesideHashes(condition).filter(({ kind }) => !isOfSettings || kind === 'slot')
    for (const leaf of leaves) {
      const isLeaf = (each: Leaf) => keyOf(each) === keyOf(leaf)
      const bit = leaf.kind === 'slot' ? flippingBit(condition, leaf) : undefined
      const values = bit === undefined ? solveLeaf(condition, isLeaf, leaf.value) : [bit]
      if (move(stage, way, leaf, values, { written, records })) return true
    }
  }
  if (unequal === undefined || way.secrets.some(({ pc }) => pc === unequal.pc)) return false
  way.secrets.push(unequal)
  return true
}

/** What is hashed is not found by trying, and each try is a hash. */
function leavesBesideHashes(condition: Term): Leaf[] {
  const open = new Set([condition])
  const found = new Map<string, Leaf>()
  for (const term of open)
    if (term.kind !== 'operation' && term.kind !== 'constant') found.set(keyOf(term), term)
    else if (term.kind === 'operation' && term.name !== 'KECCAK256') for (const part of term.operands) open.add(part)
  return [...found.values()]
}

/**
 * The word with one bit changed that turns the branch: a switch shares its word with other things,
 * which are to stay as they are.
 */
function flippingBit(condition: Term, leaf: Slot): bigint | undefined {
  if (leaf.entry !== undefined) return undefined
  for (let bit = 0n; bit < 256n; bit += 1n) {
    const value = leaf.value ^ (1n << bit)
    const turned = valueIf(condition, (each) => (keyOf(each) === keyOf(leaf) ? value : undefined))
    if ((turned !== 0n) !== (condition.value !== 0n)) return value
  }
  return undefined
}

const isOfCall = (term: Term) => (sourcesOf(term) & sources.argument) !== 0

function move(
  stage: Stage,
  way: Way,
  leaf: Leaf,
  values: readonly bigint[],
  { written, records }: { written: WrittenWords; records: WrittenWords },
): boolean {
  const [value] = values
  if (leaf.kind === 'environment') return moveEnvironment(stage, way, leaf, values)
  if (value === undefined) return false
  if (leaf.kind === 'argument') {
    way.edits.push({ offset: leaf.offset, mask: WORD_MASK, bits: value })
    return true
  }
  const { address, slot } = leaf
  const isOfVictim = stage.victim.holdings.some((holding) => holding.account === address && holding.slot === slot)
  const more = values.find((each) => each > leaf.value)
  const name = wordName(address, slot)
  const isSetting = records.has(name) || (leaf.entry === undefined && written.has(name))
  const wanted = isOfVictim ? more : isSetting ? value : undefined
  // What is set to and fro is not why it is refused.
  const isSet = way.words.some((word) => word.address === address && word.slot === slot && word.value === wanted)
  if (wanted === undefined || isSet) return false
  way.words.push({ address, slot, value: wanted })
  return true
}

/** A thief does not pay more than what there is to take. */
const HIGHEST_PRICE_WEI = 10n ** 21n

type Environment = Extract<Leaf, { kind: 'environment' }>

function moveEnvironment({ fork }: Stage, way: Way, leaf: Environment, values: readonly bigint[]): boolean {
  const { name, about } = leaf
  if (name === 'EXTCODESIZE' && leaf.value === 0n && about !== undefined) {
    way.agreeing.push(wordToAddress(about))
    return true
  }
  if (name === 'CALLVALUE') {
    const price = values.find((each) => each > 0n && each <= HIGHEST_PRICE_WEI)
    way.value = price ?? way.value
    return price !== undefined
  }
  const later = values.find((each) => each > leaf.value)
  if (later === undefined || (name !== 'TIMESTAMP' && name !== 'NUMBER')) return false
  const ahead = later - leaf.value
  const perBlockMs = fork.chain.numberTimeMs
  const seconds = name === 'TIMESTAMP' ? Number(ahead) + 1 : Math.ceil((Number(ahead) * perBlockMs) / 1_000) + 1
  way.waitSeconds += seconds
  return way.waitSeconds <= LONGEST_WAIT_SECONDS
}
