import { smallerOf } from '../../bigints.js'
import { approve, sell, type TradeContext } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { createBranchWaysInspector } from '../../evm/inspectors/branch-ways.js'
import { type Decision, type Decisions, placeOf, type Stored } from '../../evm/inspectors/decision.js'
import { createDecisionsInspector } from '../../evm/inspectors/decisions.js'
import { type BranchPlace, createForcedBranchesInspector } from '../../evm/inspectors/forced-branches.js'
import { nextBlock } from '../../simulation/pending-block.js'
import type { Words } from '../conditions/balance-words.js'
import { allConditionsOf, keyOf as keyOfLeaf, leavesOf, MAX_CONDITIONS, slotsIn } from '../conditions/conditions.js'
import { creditConditions } from '../conditions/credit.js'
import { createIsOrdinary } from '../conditions/ordinary.js'
import { onBranch } from '../on-branch.js'
import type { Circumstance, Sale, Setting } from './circumstance.js'
import { circumstancesOf, together } from './circumstances.js'
import {
  type ConditionFacts,
  isFixed,
  type Look,
  type SaleConditions,
  tellCondition,
  turnsByItself,
} from './condition-facts.js'
import { worst } from './crowd.js'
import { namesOf } from './find-causes.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { asNextBuyer } from './next-buyer.js'
import { pass } from './pass.js'
import { playSell, refused, toSellFacts } from './play-window.js'
import { rarelyWritten, repeatedly } from './repeated-trades.js'

/** Sales with a branch forced the other way, and sales in circumstances, for all conditions. */
const MAX_FORCED = 120
const MAX_PLAYED = 32
/** Conditions behind one that does no harm by itself. */
const MAX_BEHIND = 16

/** What a sale is compared with. */
export interface UsualSale {
  sold: SellFacts
  /** What decided it. */
  observed: Decisions
  /** What decided the purchase. */
  ofPurchase: readonly Decision[]
  /** What the purchase and the sale wrote. */
  stored: readonly Stored[]
  /** Storage that it read, the approval included. */
  reads: Words
  /** Whether the token asked for the time or the height. */
  asksTime: boolean
}

/** The sales in circumstances that made a difference, and what was found about each condition. */
export interface ExplainedSale {
  probes: readonly ProbeFacts[]
  conditions: SaleConditions
}

/**
 * Goes through the conditions of one sale. Each is first forced to answer otherwise: where that
 * does no harm, it needs no further look, but for what stands behind it. Where it does, it is
 * brought about in whatever circumstances its formula names, and the token is sold in them.
 */
export function explainSale(setting: Setting, usual: UsualSale): ExplainedSale {
  const { context, held } = setting
  const isOrdinary = createIsOrdinary(context, usual.observed)
  const isOpen = (decision: Decision) => !isOrdinary(decision) && !isFixed(context, held, decision)
  const isHarm = (sold: SellFacts) => lossOf(sold) >= lossOf(usual.sold) + DIVERGENCE_BPS
  const conditions = [...allConditionsOf(context, usual.observed), ...creditConditions(context, usual.observed)]
  const known = new Set(conditions.map(keyOf))
  const circumstancesFor = once((decision: Decision) => circumstancesOf(setting, decision))
  const plays = createPlays(setting, isHarm, conditions)
  const force = createForce(setting, isHarm)
  const names = namesOf(context, 'the seller', held)
  const others: ConditionFacts[] = []
  const tellOf = (decision: Decision, look: Look) =>
    others.push(tellCondition(context, { decision, held, names }, look))

  /** Those that only the other side of a harmless one leads to; whether all could be looked at. */
  const lookBehind = (decision: Decision, before: readonly Circumstance[], observed: Decisions): boolean => {
    const behind = allConditionsOf(context, observed).filter(
      (each) => each.occurrence !== undefined && !known.has(keyOf(each)) && isOpen(each),
    )
    const looks = behind.slice(0, MAX_BEHIND).map((next) => {
      if (force.isSpent()) return false
      const forced = force.sell([decision, next], false)
      if (!isHarm(forced.sold)) return true
      const then = circumstancesFor(next)
      const played = plays.play(before.flatMap((first) => then.map((each) => together(first, each))))
      tellOf(next, { ...played, decidesByArithmetic: false, lossBps: lossOf(forced.sold), isHarmful: true })
      return true
    })
    return behind.length <= MAX_BEHIND && looks.every(Boolean)
  }
  /** Whether a branch that asks for the same turned: another may have let the sale pass. */
  const hasTurned = ({ condition }: Decision): boolean => {
    const asked = new Set(leavesOf(condition).map(keyOfLeaf))
    const isAbout = (each: Decision) => leavesOf(each.condition).some((leaf) => asked.has(keyOfLeaf(leaf)))
    return conditions.some((each) => plays.turned.has(placeOf(each)) && isAbout(each))
  }
  const look = (decision: Decision): Look => {
    const decidesByArithmetic = decision.occurrence === undefined
    const notPlayed = { decidesByArithmetic, lossBps: undefined, isHarmful: false, isSolved: false, played: [] }
    if (!decidesByArithmetic && force.isSpent()) return { ...notPlayed, isWhole: false }
    const circumstances = circumstancesFor(decision)
    if (decidesByArithmetic) return { ...notPlayed, ...plays.play(circumstances) }
    // What nothing brings about leads nowhere; what a holder writes is the test of privileges.
    const forced = force.sell([decision], circumstances.length > 0)
    const [lossBps, isHarmful] = [lossOf(forced.sold), isHarm(forced.sold)]
    if (isHarmful) {
      const played = plays.play(circumstances)
      const isMissed =
        played.played.length > 0 &&
        !circumstances.some(isOfAmount) &&
        !hasTurned(decision) &&
        !isAboutOwnSale(context, decision)
      return { ...played, decidesByArithmetic, lossBps, isHarmful, isMissed }
    }
    const isWhole = forced.observed === undefined || lookBehind(decision, circumstances, forced.observed)
    return { decidesByArithmetic, isWhole, lossBps, isHarmful, isSolved: false, played: [] }
  }

  const open = conditions.filter(isOpen)
  const harmless = open.filter((decision) => {
    const found = look(decision)
    tellOf(decision, found)
    return !found.isHarmful && !found.decidesByArithmetic
  })
  // What is harmless by itself may do harm where two branches ask the same: those that wallets and
  // blocks turn by themselves are played with what is left.
  for (const decision of harmless) if (turnsByItself(context, held, decision)) plays.play(circumstancesFor(decision))
  for (const decision of harmless.filter(createIsOfLoop(conditions))) plays.play(byTrades(circumstancesFor(decision)))
  plays.play(byTrades(usual.ofPurchase.flatMap(circumstancesFor)))
  // The nearest of each will do: those further on are played as they are.
  const firstByTrades = (each: Decision) => byTrades(circumstancesFor(each)).slice(0, 1)
  const firstOfPurchase = usual.ofPurchase.flatMap(firstByTrades)
  plays.play(firstOfPurchase.map((each) => asNextBuyer(setting, each)))
  const rare = rarelyWritten(setting, slotsIn(conditions))
  const recurring = [...harmless.flatMap(firstByTrades), ...firstOfPurchase, ...(usual.asksTime ? [A_WEEK] : [])]
  if (rare.length > 0) plays.play(recurring.map((each) => repeatedly(setting, rare, each)))
  const isTruncated = usual.observed.isTruncated || conditions.length >= MAX_CONDITIONS
  return { probes: plays.found, conditions: { ordinary: conditions.length - open.length, others, isTruncated } }
}

const byTrades = (circumstances: readonly Circumstance[]) => circumstances.filter(({ name }) => name === 'crowd')

/**
 * Tells branches that answered both ways in one sale, as a loop does when it ends: to go round once
 * more does no harm, and to go round for each who has traded may take more gas than there is.
 */
function createIsOfLoop(conditions: readonly Decision[]): (decision: Decision) => boolean {
  const answersOf = (truth: boolean) =>
    new Set(conditions.filter(({ condition }) => (condition.value !== 0n) === truth).map(placeOf))
  const [taken, left] = [answersOf(true), answersOf(false)]
  return (decision) => taken.has(placeOf(decision)) && left.has(placeOf(decision))
}

/** What solving a formula takes is taken once. */
function once<T extends object, Found>(find: (of: T) => Found): (of: T) => Found {
  const found = new Map<T, Found>()
  return (of) => {
    const known = found.get(of) ?? find(of)
    found.set(of, known)
    return known
  }
}

const keyOf = (decision: Decision) => `${placeOf(decision)} ${decision.occurrence}`

/** Sales in circumstances, each once. */
interface Plays {
  /** Names of those that could be entered; `isWhole` if none was left out for want of room. */
  play(circumstances: readonly Circumstance[]): Pick<Look, 'played' | 'isWhole' | 'isSolved'>
  /** Those that did harm. */
  readonly found: readonly ProbeFacts[]
  /** Places of branches that went another way in one of them than in the usual sale. */
  readonly turned: ReadonlySet<string>
}

function createPlays(
  { context: unwatched, held }: Setting,
  isHarm: (sold: SellFacts) => boolean,
  conditions: readonly Decision[],
): Plays {
  const ways = createBranchWaysInspector(conditions)
  const context = { ...unwatched, watch: () => [...(unwatched.watch?.() ?? []), ways] }
  /** By the circumstance's key: whether it could be entered. */
  const played = new Map<string, boolean>()
  const found: ProbeFacts[] = []
  /** A count of the seller's own that ends with the day is a limit. */
  const passes = (circumstance: Circumstance): boolean => {
    if (circumstance.name !== 'second-sell') return false
    const later = onBranch(context, () => sellIn(context, held, together(circumstance, A_DAY)))
    return later !== undefined && !isHarm(later)
  }
  const playOnce = (circumstance: Circumstance): boolean => {
    const sold = onBranch(context, () => sellIn(context, held, circumstance))
    const isLoss = sold !== undefined && isHarm(sold) && !isLimit(circumstance, sold) && !passes(circumstance)
    if (isLoss && circumstance.comesAbout?.(context) !== false) found.push(tell(circumstance, sold))
    return sold !== undefined
  }
  return {
    found,
    turned: ways.finish(),
    play(circumstances) {
      // What time alone brings about is traded at for all conditions together (`instants.ts`).
      const wanted = circumstances.filter(({ name }) => name !== 'later')
      for (const each of wanted)
        if (!played.has(each.key) && played.size < MAX_PLAYED) played.set(each.key, playOnce(each))
      return {
        played: wanted.filter(({ key }) => played.get(key) === true).map(({ name }) => name),
        isWhole: wanted.every(({ key }) => played.has(key)),
        isSolved: circumstances.length > 0,
      }
    },
  }
}

const tell = ({ name, meaning }: Circumstance, sold: SellFacts): ProbeFacts => ({
  ...{ name, sold, ...(meaning && { meaning: meaning(sold) }) },
})

const later = (days: number): Circumstance => ({
  name: 'later',
  key: `${days} days`,
  enter(sale) {
    pass(sale.context.fork, days * 24 * 3_600_000)
    return sale
  },
})
const A_DAY = later(1)
const A_WEEK = later(7)

/**
 * Whether what the token has of itself is compared with an amount of as much: it sells all of that,
 * so that the amount follows the word wherever that is moved.
 */
function isAboutOwnSale({ market }: TradeContext, { condition }: Decision): boolean {
  const leaves = leavesOf(condition)
  const token = BigInt(market.pool.token)
  return leaves.some(
    (own) =>
      own.kind === 'slot' &&
      own.entry?.key === token &&
      leaves.some(({ kind, value }) => kind === 'argument' && value === own.value),
  )
}

const isOfAmount = ({ name }: Circumstance) => name === 'small-sell' || name === 'large-sell'

/** An amount that cannot be sold is a limit, not a loss: less can. */
const isLimit = (circumstance: Circumstance, { success }: SellFacts) => !success && isOfAmount(circumstance)

/** `undefined` where the circumstance could not be brought about. */
function sellIn(context: TradeContext, held: bigint, circumstance: Circumstance): SellFacts | undefined {
  const sale = circumstance.enter({ context, held, block: {} })
  if (!sale) return undefined
  if (isOfAmount(circumstance)) return playSell(sale.context, sale.held)
  const rest = sale.held / REST
  const part = { ...sale, held: sale.held - rest }
  const first = Object.keys(sale.block).length > 0 ? sellInBlock(part) : playSell(sale.context, part.held)
  return first?.success ? worst([first, ...sellRest(sale.context, rest, playSell)]) : first
}

/** One part in so many is sold after the others: what one sale notes may decide the next. */
const REST = 4n

function sellRest(
  context: TradeContext,
  rest: bigint,
  sellIt: (context: TradeContext, held: bigint) => SellFacts,
): SellFacts[] {
  const { fork, market, trader } = context
  pass(fork, 0)
  const left = balanceOf(fork, market.pool.token, trader.address) ?? 0n
  const amount = smallerOf(left, rest)
  return amount > 0n ? [sellIt(context, amount)] : []
}

/** A sale whose block holds the given values; approved in the block before. */
function sellInBlock({ context, held, block }: Sale): SellFacts | undefined {
  const { evm, chain } = context.fork
  if (approve(context, held)?.success === false) return undefined
  evm.setBlock({ ...nextBlock(chain, evm.block), ...block })
  return toSellFacts(context, sell(context, held))
}

/** Gas for a sale whose other side may do more than the usual one. */
const FORCED_GAS = 2_000_000n

interface ForcedSale {
  sold: SellFacts
  /** What decided it; absent where it was not looked at. */
  observed: Decisions | undefined
}

interface Forcing {
  places: readonly BranchPlace[]
  alsoRest: boolean
  /** Whether it is looked at what decides the sale then. */
  isObserved: boolean
}

/** Sales with branches forced the other way. */
interface Force {
  /** That was done often enough. */
  isSpent(): boolean
  sell(places: readonly BranchPlace[], isObserved: boolean): ForcedSale
}

function createForce({ context, held }: Setting, isHarm: (sold: SellFacts) => boolean): Force {
  let left = MAX_FORCED
  const play = (forcing: Forcing) => onBranch(context, () => sellForced(context, held, forcing))
  // Some tokens make each seller wait between two sales.
  const alsoRest = !isHarm(play({ places: [], alsoRest: true, isObserved: false }).sold)
  return {
    isSpent: () => left <= 0,
    sell(places, isObserved) {
      left -= 1
      return play({ places, alsoRest, isObserved })
    },
  }
}

function sellForced(context: TradeContext, held: bigint, { places, alsoRest, isObserved }: Forcing): ForcedSale {
  const { fork } = context
  const decisions = isObserved ? createDecisionsInspector() : undefined
  const forced = createForcedBranchesInspector(places)
  const trader = { ...context.trader, gasLimit: FORCED_GAS, isThrifty: true as const }
  const watched = { ...context, trader, watch: () => (decisions ? [forced, decisions] : [forced]) }
  const approved = approve(watched, held)
  if (approved?.success === false) return { sold: refused(context, approved), observed: decisions?.finish() }
  fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
  const rest = held / REST
  const first = toSellFacts(context, sell(watched, held - rest))
  const observed = decisions?.finish()
  if (!first.success || !alsoRest) return { sold: first, observed }
  const sellOnce = (again: TradeContext, left: bigint) => {
    approve(again, left)
    return toSellFacts(again, sell(again, left))
  }
  return { sold: worst([first, ...sellRest(context, rest, sellOnce)]), observed }
}
