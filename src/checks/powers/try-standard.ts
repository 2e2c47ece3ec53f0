import { encodeAbiParameters } from 'viem'
import { erc20Abi, readWord } from '../../dex/read-contract.js'
import { FULL_BPS } from '../../dex/tax.js'
import { createDecisionsInspector, type Decision, type Decisions } from '../../evm/inspectors/decisions.js'
import { isSmall, type Leaf } from '../../evm/inspectors/term.js'
import { bytesToHex, type Hex, hexToBytes } from '../../hex.js'
import { wait } from '../../simulation/fork-verbs.js'
import { leavesOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import { actAs } from './act.js'
import { gravityOf } from './gravity.js'
import { APPROVE, TRANSFER, TRANSFER_FROM } from './hidden-entries.js'
import { type ActingHolder, type HolderFinder, toAccount } from './holders.js'
import { openBooks } from './ledger.js'
import { type Effect, lookAtBooks } from './look.js'
import { asCalled } from './own-callers.js'
import type { Holder, Power, ProofStep } from './power.js'
import { otherwise, type RawInput } from './raw-input.js'
import type { TokenCode } from './read-contracts.js'
import { hasSpecialPath } from './special-paths.js'
import type { Stage } from './stage.js'
import type { Tried } from './try-plan.js'

/** Calls of one function, and of all of them. */
const MAX_TRIES = 14
const MAX_ALL_TRIES = 60
/** What one call is asked to do otherwise, at most. */
const MAX_FLIPS = 6

/**
 * What everyone calls for oneself, by types of its arguments. The first address is that of the
 * victim, who neither calls nor signs.
 */
const STANDARD: readonly (readonly [selector: Hex, types: string])[] = [
  [APPROVE, 'address,uint256'],
  [TRANSFER, 'address,uint256'],
  [TRANSFER_FROM, 'address,address,uint256'],
  // increaseAllowance, decreaseAllowance
  ['0x39509351', 'address,uint256'],
  ['0xa457c2d7', 'address,uint256'],
  // permit (EIP-2612, DAI)
  ['0xd505accf', 'address,address,uint256,uint256,uint8,bytes32,bytes32'],
  ['0x8fcbaf0c', 'address,address,uint256,uint256,bool,uint8,bytes32,bytes32'],
]

/**
 * Calls the standard functions about one who has not agreed, and asks each branch that the
 * call itself decides to go the other way: an amount, a spender, a moment or a caller that makes
 * them do something else. What then happens to the books is measured.
 */
export function tryStandard(
  stage: Stage,
  codes: readonly TokenCode[],
  finder: HolderFinder,
  all: readonly Tried[],
  hasBudget: () => boolean,
): Power[] {
  const budget = { tries: MAX_ALL_TRIES }
  return codes.flatMap((code) =>
    STANDARD.flatMap(([selector, types]) => {
      const fn = code.facts.functions.find((each) => each.selector === selector)
      if (fn === undefined) return []
      const isSpecial = hasSpecialPath(code, fn)
      // Checks that round let the least amount pass, whatever is moved then.
      const amounts = [...(isSpecial ? [stage.buyer.held] : []), ...(selector === TRANSFER_FROM ? [1n] : [])]
      if (amounts.length === 0) return []
      const search = { stage, code, selector, types, finder, amounts, isSpecial, budget, hasBudget }
      if (!isSpecial && !isLetThrough(search)) return []
      const power = onBranch(stage, () => explore(search))
      return power === undefined || isKnown(all, power) ? [] : [power]
    }),
  )
}

/** Whether one of the first calls goes through, which most tokens refuse. */
const isLetThrough = (the: Search) =>
  the.amounts.some((amount) => {
    const { stage, code } = the
    stage.effort.calls += 1
    return onBranch(stage, () => actAs(stage.fork, toStep(stage, code, seedOf(the, amount)), stage.operator).success)
  })

/** Whether an ordinary call by the same holder has shown as much. */
const isKnown = (all: readonly Tried[], { contract, selector, holder }: Power) =>
  all.some(
    (tried) =>
      tried.plan.contract === contract &&
      tried.plan.selector === selector &&
      tried.found.some(({ lossBps, moves }) => lossBps >= GRAVE_BPS && moves.at(-1)?.holder.address === holder.address),
  )

interface Search {
  stage: Stage
  code: TokenCode
  selector: Hex
  types: string
  finder: HolderFinder
  /** Of what the first calls are about. */
  amounts: readonly bigint[]
  /** Whether there are ways that an ordinary call does not take. */
  isSpecial: boolean
  budget: { tries: number }
  hasBudget: () => boolean
}

function explore(the: Search): Power | undefined {
  const { stage, budget, hasBudget } = the
  const open = the.amounts.map((amount) => seedOf(the, amount))
  const seen = new Set<string>()
  let worst: { input: RawInput; effect: Effect } | undefined
  let tries = 0
  for (let input = open.shift(); input !== undefined; input = open.shift()) {
    if (tries >= MAX_TRIES || budget.tries <= 0 || !hasBudget()) break
    tries += 1
    budget.tries -= 1
    const { decisions, effect } = attempt(stage, the, input)
    if (effect && (!worst || weightOf(effect) > weightOf(worst.effect))) worst = { input, effect }
    if (worst !== undefined && worst.effect.lossBps >= GRAVE_BPS) break
    if (the.isSpecial) open.push(...flipsOf(the, input, decisions, seen))
  }
  return worst && toPower(the, worst, tries)
}

const weightOf = ({ kind, lossBps }: Effect) => gravityOf(kind, lossBps)
/** From here on nothing worse is looked for. */
const GRAVE_BPS = FULL_BPS / 2

/** A signature that recovers to some address, whatever was signed: the curve's own point. */
const POINT: Hex = '0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const V = 27

function seedOf({ stage: { buyer, fresh }, selector, types }: Search, amount: bigint): RawInput {
  const parameters = types.split(',').map((type) => ({ type }))
  let addresses = 0
  const values = parameters.map(({ type }, index) => {
    if (type === 'address') return addresses++ === 0 ? buyer.context.trader.address : fresh
    if (type === 'bytes32') return POINT
    if (type === 'uint8') return V
    if (type === 'bool') return true
    // A moment that is to come, or an amount that anyone has: nothing, or what the victim has.
    return parameters.length > 3 && index > 2 ? (1n << 255n) - 1n : selector === TRANSFER ? 0n : amount
  })
  const data = hexToBytes(`${selector}${encodeAbiParameters(parameters, values).slice(2)}`)
  return { from: fresh, data, value: 0n, waitSeconds: 0 }
}

interface Attempt {
  decisions: Decisions
  effect: Effect | undefined
}

function attempt(stage: Stage, { code }: Search, input: RawInput): Attempt {
  const books = openBooks(stage, input.from)
  const inspector = createDecisionsInspector({ isRaw: true })
  return onBranch(stage, () => {
    if (input.waitSeconds > 0) wait(stage.fork, input.waitSeconds * 1_000)
    stage.effort.calls += 1
    const acted = actAs(stage.fork, toStep(stage, code, input), stage.operator, [inspector])
    const decisions = inspector.finish()
    if (!acted.success || acted.writes.size === 0) return { decisions, effect: undefined }
    const taken = lookAtBooks(stage, books.before, books.read(), acted).find(({ kind }) => TAKES.has(kind))
    return { decisions, effect: taken ?? findAllowed(stage, decisions) }
  })
}

/** Who sends tokens of one's own issues none. */
const TAKES: ReadonlySet<Effect['kind']> = new Set([
  'burns-balance',
  'moves-balance',
  'takes-allowance',
  'pulls-liquidity',
])

/** An allowance over the victim's tokens that is stored now, for any spender. */
function findAllowed({ fork, token, buyer }: Stage, { stores }: Decisions): Effect | undefined {
  const victim = buyer.context.trader.address
  for (const { address, entry } of stores) {
    const spender = entry === undefined ? undefined : toAccount(entry.key)
    if (address !== token || spender === undefined || entry?.within?.key !== BigInt(victim)) continue
    // The victim has approved the exchange alone, and no spender that a stranger names.
    if ((readWord(fork, token, erc20Abi, 'allowance', [victim, spender]) ?? 0n) === 0n) continue
    if (spender === fork.chain.wrappedNative || spender === stageSpender(buyer)) continue
    const outcome = 'an allowance over tokens of others was granted without their consent'
    return { kind: 'takes-allowance', lossBps: FULL_BPS, outcome }
  }
  return undefined
}

const stageSpender = ({ context }: Stage['buyer']) => context.market.venue.spender

/** Where the victim's address stands in each of these calls. */
const VICTIM_AT = 4

/** Inputs that turn a branch of the token's code that was never seen to go the other way. */
function flipsOf({ stage, code }: Search, input: RawInput, { branches }: Decisions, seen: Set<string>): RawInput[] {
  const own = branches.filter(
    ({ codeAddress, address }) => codeAddress === code.subject.address && address === code.account,
  )
  // One branch may end several comparisons.
  const nameOf = ({ pc, condition }: Decision, isTurned: boolean) =>
    [pc, (condition.value !== 0n) !== isTurned, ...(isSmall(condition) ? leavesOf(condition).map(placeOf) : [])].join()
  for (const each of own) seen.add(nameOf(each, false))
  const found: RawInput[] = []
  for (const each of own) {
    const name = nameOf(each, true)
    if (seen.has(name) || !isSmall(each.condition) || isOrdinary(each)) continue
    seen.add(name)
    const turned = otherwise(input, each.condition).filter((next) => isFair(stage, input, next))
    found.push(...turned.slice(0, MAX_FLIPS))
  }
  return found
}

const placeOf = (leaf: Leaf) =>
  leaf.kind === 'argument' ? leaf.offset : leaf.kind === 'environment' ? leaf.name : leaf.kind

/** Comparisons of an amount with what an account has, or may take. */
function isOrdinary({ condition }: Decision): boolean {
  const leaves = leavesOf(condition)
  const isChoice = (leaf: Leaf) =>
    leaf.kind === 'environment' || (leaf.kind === 'argument' && leaf.offset !== 0 && leaf.offset !== VICTIM_AT)
  const isBook = (leaf: Leaf) => leaf.kind === 'slot' && leaf.entry !== undefined
  return !leaves.some(isChoice) || (leaves.some(isBook) && !leaves.some(({ kind }) => kind === 'environment'))
}

/** The victim stays who it is, no trader and no exchange is made to call. */
function isFair({ exchange, buyer, bystander, newcomer }: Stage, before: RawInput, { from, data }: RawInput): boolean {
  const traders = [buyer.context, bystander.context, newcomer].map(({ trader }) => trader.address)
  if (exchange.has(from) || traders.includes(from)) return false
  const end = VICTIM_AT + 32
  return bytesToHex(data.subarray(0, end)) === bytesToHex(before.data.subarray(0, end))
}

const toStep = (stage: Stage, code: TokenCode, { from, data, value, waitSeconds }: RawInput): ProofStep =>
  asCalled(stage, {
    ...{ from, to: code.account, input: bytesToHex(data) },
    ...(value > 0n && { value }),
    ...(waitSeconds > 0 && { waitSeconds }),
  })

function toPower(
  { stage, code, selector, types, finder }: Search,
  { input, effect }: { input: RawInput; effect: Effect },
  tried: number,
): Power {
  const anyone: Holder = { kind: 'anyone', address: input.from, delaySeconds: 0, isHidden: false }
  const { assumed: _, ...holder }: ActingHolder =
    input.from === stage.fresh ? anyone : finder.describe(input.from, true)
  return {
    ...{ contract: code.account, selector, argumentTypes: types, holder, tried },
    ...{ effect: effect.kind, lossBps: effect.lossBps, worstCase: effect.outcome },
    isBounded: effect.lossBps < GRAVE_BPS,
    isReversible: false,
    proof: { steps: [toStep(stage, code, input)], outcome: effect.outcome },
  }
}
