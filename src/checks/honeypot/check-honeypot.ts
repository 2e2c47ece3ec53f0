import type { Clock } from '../../clock.js'
import type { Address, Hex } from '../../hex.js'
import type { ReadAhead } from '../../state/rpc-state-source.js'
import type { StateSource } from '../../state/state-source.js'
import type { BytecodeJudge } from '../bytecode/bytecode-judge.js'
import type { BytecodeReport } from '../bytecode/bytecode-report.js'
import { analyseHolders } from '../holders/analyse-holders.js'
import { checkHolders, type HoldersDependencies } from '../holders/check-holders.js'
import type { HolderAnalysis } from '../holders/holders-report.js'
import { checkLiquidity, type LiquidityDependencies, unmeasuredLiquidity } from '../liquidity/check-liquidity.js'
import type { LiquidityReport } from '../liquidity/liquidity-report.js'
import type { ReadOrigin } from '../origin/read-origin.js'
import type { OriginReport } from '../origin/token-origin.js'
import { checkPowers, type PowersDependencies, type PowersReport } from '../powers/check-powers.js'
import type { RoleMembers } from '../powers/read-role-members.js'
import { settle } from '../settle.js'
import type { AnalysisTarget } from '../target.js'
import { type OpenState, onPinnedBlock, tradePlan } from '../trade/open-state.js'
import { runTradeScenario, type TradeDependencies, type TradeOutcome } from '../trade/run-trade-scenario.js'
import { withinDeadline } from '../within-deadline.js'
import { type HoneypotFacts, NOTHING_TRADED } from './honeypot-facts.js'
import { type ExplainedFailure, nameSetters } from './name-setters.js'
import { findPoolAllowance, type PoolAllowance } from './pool-allowance.js'
import { type Powers, powersOf } from './powers.js'
import { type HoneypotVerdict, judgeHoneypot } from './score.js'
import { timeTravel } from './time-travel.js'
import { WINDOWS } from './windows.js'

/** Whether a seller is trapped, now or later: the internal form of `honeypotResponse`. */
export interface HoneypotReport extends HoneypotVerdict {
  block: { number: bigint; hash: string; timestamp: bigint }
  transferTaxBps: number | undefined
  /** Every place where it can be traded for native coin; absent without any of the chain's own. */
  markets: HoneypotFacts['markets']
  /** Who made the token, and when; absent where nothing was traded, or it was not asked. */
  origin: OriginReport | undefined
  pair: Address | undefined
  venue: string | undefined
  /** Who executed; absent for the interpreter here. */
  engine?: HoneypotFacts['engine']
  /** Of a pool whose address is that of all pools of its exchange. */
  poolId: Hex | undefined
  /** The pool was made on the fork, with these means. */
  simulatedLiquidity: HoneypotFacts['provided']
  /** Where it seems to trade, if nowhere we know. */
  unknownVenues: HoneypotFacts['unknownVenues']
  maxBuy: bigint | undefined
  maxSell: bigint | undefined
  /** What little and much of a large holding sells for. */
  sizes: HoneypotFacts['sizes']
  causes: readonly ExplainedFailure[]
  /** What decides the ordinary sale. */
  conditions: HoneypotFacts['conditions']
  /** What the ordinary trade stands on. */
  dependencies: HoneypotFacts['dependencies']
  /** Absent where the code was not, or could not be, analysed. */
  powers: Powers | undefined
  /**
   * What those who hold the keys were shown to be able to do. Absent where nothing was traded that
   * they could harm.
   */
  sweep: PowersReport | undefined
  /** Whether people who have the token already can sell it. Absent where a buyer cannot. */
  holderAnalysis: HolderAnalysis | undefined
  /** Where the judged pool's liquidity is. Absent without a pool of the chain's own. */
  liquidity: LiquidityReport | undefined
}

export interface HoneypotDependencies
  extends PowersDependencies,
    TradeDependencies,
    HoldersDependencies,
    LiquidityDependencies {
  openState: OpenState
  clock: Clock
  /** Whether it is looked beyond the trade: at powers, holders and liquidity. */
  looksAround?: boolean
  /** Without one, nothing is said about powers. */
  bytecodeJudge?: BytecodeJudge
  /** Told when the analysis of the code failed, which fails nothing else. */
  onCheckFailure?(check: 'bytecode' | 'holders' | 'liquidity' | 'origin', error: unknown): void
  /** Without it, nothing is said of who made a token. */
  readOrigin?: ReadOrigin
}

/**
 * Trades a target in all three windows, and looks around. Rejects when no node can be asked; code
 * that resists gives an inconclusive report.
 */
export function createCheckHoneypot(
  dependencies: HoneypotDependencies,
): (target: AnalysisTarget) => Promise<HoneypotReport> {
  const { openState, clock } = dependencies
  const planOf = (target: AnalysisTarget) => honeypotPlan(target, clock)
  return onPinnedBlock(openState, planOf, async (target, state) => {
    // Beside trading, so that no caller waits for it.
    const members = readMembers(dependencies, target, state)
    // Each caller that needs them is told; often none does.
    members.catch(() => {})
    const origin = lookForOrigin(dependencies, target, state)
    const reading = readCode(dependencies, target, state)
    const outcome = await runTradeScenario(dependencies, timeTravel, target, state)
    const [around, allowance, code] = await Promise.all([
      lookAround(dependencies, target, state, { facts: outcome.facts, members, origin }),
      lookForAllowance(dependencies, target, state, outcome.facts),
      reading,
    ])
    const { number, hash, timestamp } = state.block
    const traded = toReport(outcome, allowance)
    const causes = nameSetters(traded.causes, code)
    return { ...traded, ...around, causes, powers: powersOf(code), block: { number, hash, timestamp } }
  })
}

/** What was looked at besides the trade. */
type Surroundings = Pick<HoneypotReport, 'sweep' | 'holderAnalysis' | 'liquidity' | 'origin'>

/** What is known by then, or was begun beside the trade. */
interface Traded {
  facts: HoneypotFacts | undefined
  members: Promise<RoleMembers>
  origin: Promise<OriginReport | undefined>
}

/**
 * All else comes second: what trading has read is known by then, so that the node is asked for no
 * more than what is their own.
 */
async function lookAround(
  dependencies: HoneypotDependencies,
  target: AnalysisTarget,
  state: StateSource,
  { facts, members, origin: asked }: Traded,
): Promise<Surroundings> {
  const { kind, market, windows = [], provided, spent, maxBuy } = facts ?? {}
  if (!market || provided || dependencies.looksAround === false) {
    const origin = kind === 'token' ? await asked : undefined
    return { sweep: undefined, holderAnalysis: undefined, liquidity: undefined, origin }
  }
  const canSell = windows[0]?.soldFresh?.success === true
  // What could be bought here can be bought there.
  const lookedAt = maxBuy === undefined || spent === undefined ? target : { ...target, amount: spent }
  const [sweep, holderAnalysis, liquidity, origin] = await Promise.all([
    canSell ? checkPowers(dependencies, lookedAt, state, members) : undefined,
    canSell ? lookAtHolders(dependencies, lookedAt, state, market.pool) : undefined,
    lookAtLiquidity(dependencies, target, state, market.pool),
    asked,
  ])
  return { sweep, holderAnalysis, liquidity, origin }
}

/** What may be taken from the pool; `undefined` where there is nothing to ask. */
async function lookForAllowance(
  dependencies: TradeDependencies,
  target: AnalysisTarget,
  state: StateSource,
  { market, namedAccounts: spenders = [] }: Partial<HoneypotFacts> = {},
): Promise<TradeOutcome<PoolAllowance | undefined> | undefined> {
  if (!market || spenders.length === 0) return undefined
  return runTradeScenario(dependencies, findPoolAllowance, target, state, { pool: market.pool, spenders })
}

async function readMembers(
  { readRoleMembers, looksAround }: HoneypotDependencies,
  target: AnalysisTarget,
  state: StateSource,
): Promise<RoleMembers> {
  if (looksAround === false || !readRoleMembers) return { accounts: [], areAll: true }
  return readRoleMembers(target, state)
}

/** Begun beside trading; never rejects, since who made a token only decorates the answer. */
async function lookForOrigin(
  { readOrigin, looksAround, onCheckFailure }: HoneypotDependencies,
  { chain, address, signal }: AnalysisTarget,
  state: StateSource,
): Promise<OriginReport | undefined> {
  if (looksAround === false || !readOrigin) return undefined
  const { done, late } = await withinDeadline(
    { ms: LOOK_AROUND_MS, subject: 'its origin', signal, onFailure: (error) => onCheckFailure?.('origin', error) },
    (stop) => readOrigin({ chain, token: address, head: state.block, signal: stop }),
  )
  return late === undefined ? done : { unknown: late }
}

/** As long as a caller waits for holders, for the liquidity, or for who made the token. */
const LOOK_AROUND_MS = 5_000

async function lookAtHolders(
  dependencies: HoneypotDependencies,
  target: AnalysisTarget,
  state: StateSource,
  pool: Address,
): Promise<HolderAnalysis | undefined> {
  const onFailure = (error: unknown) => dependencies.onCheckFailure?.('holders', error)
  const { done, late } = await withinDeadline(
    { ms: LOOK_AROUND_MS, subject: 'the holders', signal: target.signal, onFailure },
    (signal) => checkHolders(dependencies, { ...target, signal }, state, Promise.resolve(pool)),
  )
  return late === undefined ? done : analyseHolders({ sells: [], unfinished: late }, 0)
}

async function lookAtLiquidity(
  dependencies: HoneypotDependencies,
  target: AnalysisTarget,
  state: StateSource,
  pool: Address,
): Promise<LiquidityReport | undefined> {
  const onFailure = (error: unknown) => dependencies.onCheckFailure?.('liquidity', error)
  const { done, late } = await withinDeadline(
    { ms: LOOK_AROUND_MS, subject: 'the liquidity', signal: target.signal, onFailure },
    (signal) => checkLiquidity(dependencies, { ...target, signal }, state, pool),
  )
  return late === undefined ? done : unmeasuredLiquidity(pool, late)
}

/** `undefined` where the code could not be analysed, which says nothing about any address. */
async function readCode(
  { bytecodeJudge, onCheckFailure }: HoneypotDependencies,
  { chain, address, signal }: AnalysisTarget,
  state: StateSource,
): Promise<BytecodeReport | undefined> {
  if (!bytecodeJudge) return undefined
  const judged = bytecodeJudge.judge({ state, address, chain, ...(signal && { signal }) })
  const report = await settle(judged, (error) => onCheckFailure?.('bytecode', error))
  return 'failed' in report ? undefined : report
}

/**
 * The later windows run other branches of a token that looks at the clock, so they are traced
 * beside the first.
 */
function honeypotPlan(target: AnalysisTarget, clock: Clock): ReadAhead {
  const now = clock.now()
  const times = WINDOWS.map(({ afterMs }) => (afterMs === 0 ? undefined : BigInt(Math.floor((now + afterMs) / 1_000))))
  return tradePlan('honeypot', target, times)
}

/** What trading alone tells. */
type TradeReport = Omit<
  HoneypotReport,
  'block' | 'powers' | 'causes' | 'sweep' | 'holderAnalysis' | 'liquidity' | 'origin'
> &
  Pick<HoneypotFacts, 'causes'>

function toReport(
  { facts: traded, resisted, doubt }: TradeOutcome<HoneypotFacts>,
  allowance: TradeOutcome<PoolAllowance | undefined> | undefined,
): TradeReport {
  const facts: HoneypotFacts = {
    ...(traded ?? { ...NOTHING_TRADED, kind: 'token' }),
    poolAllowance: allowance?.facts,
  }
  const verdict = judgeHoneypot(facts)
  const inconclusive = resisted ?? allowance?.resisted ?? verdict.inconclusive
  return {
    ...verdict,
    windows: WINDOWS.map(
      ({ label }) => verdict.windows.find((window) => window.label === label) ?? untried(label, inconclusive),
    ),
    inconclusive,
    doubt: doubt ?? allowance?.doubt ?? verdict.doubt,
    transferTaxBps: facts.transferTaxBps,
    markets: facts.markets,
    pair: facts.market?.pool,
    venue: facts.market?.venue,
    engine: facts.engine,
    poolId: facts.market?.id,
    simulatedLiquidity: facts.provided,
    unknownVenues: facts.unknownVenues,
    maxBuy: facts.maxBuy,
    maxSell: facts.maxSell,
    sizes: facts.sizes,
    causes: facts.causes,
    conditions: facts.conditions,
    dependencies: facts.dependencies,
  }
}

/**
 * A window in which nothing could be traded: three are always given, and this one says why it is
 * empty.
 */
function untried(label: (typeof WINDOWS)[number]['label'], why = 'not traded'): HoneypotReport['windows'][number] {
  return { label, buyTaxBps: 0, sellTaxBps: 0, riskScore: 0, isHostile: false, sells: undefined, errorReason: why }
}
