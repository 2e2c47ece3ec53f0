import type { Clock } from '../../clock.js'
import type { Address, Hex } from '../../hex.js'
import type { ReadAhead } from '../../state/rpc-state-source.js'
import type { AnalysisTarget } from '../target.js'
import { type OpenState, onPinnedBlock, tradePlan } from '../trade/open-state.js'
import type { TradeOutcome } from '../trade/run-trade-scenario.js'
import { type HoneypotFacts, NOTHING_TRADED } from './honeypot-facts.js'
import type { InspectionDependencies } from './inspect-token.js'
import type { Surroundings } from './look-around.js'
import { type ExplainedFailure, nameSetters } from './name-setters.js'
import type { PoolAllowance } from './pool-allowance.js'
import { type Powers, powersOf } from './powers.js'
import { type HoneypotVerdict, judgeHoneypot } from './score.js'
import { createInspect } from './share-inspections.js'
import { WINDOWS } from './windows.js'

/** Whether a seller is trapped, now or later: the internal form of `honeypotResponse`. */
export interface HoneypotReport extends HoneypotVerdict, Surroundings {
  block: { number: bigint; hash: string; timestamp: bigint }
  transferTaxBps: number | undefined
  /** Every place where it can be traded for native coin; absent without any of the chain's own. */
  markets: HoneypotFacts['markets']
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
}

export interface HoneypotDependencies extends InspectionDependencies {
  openState: OpenState
  clock: Clock
}

/**
 * Trades a target in all three windows, and looks around. Rejects when no node can be asked; code
 * that resists gives an inconclusive report.
 */
export function createCheckHoneypot(
  dependencies: HoneypotDependencies,
): (target: AnalysisTarget) => Promise<HoneypotReport> {
  const { openState, clock } = dependencies
  const inspect = createInspect(dependencies)
  const planOf = (target: AnalysisTarget) => honeypotPlan(target, clock)
  return onPinnedBlock(openState, planOf, async (target, state) => {
    const { traded, allowance, around, code } = await inspect(target, state)
    const { isLate: _, ...surroundings } = around
    const { number, hash, timestamp } = state.block
    const report = toReport(traded, allowance)
    const causes = nameSetters(report.causes, code)
    return { ...report, ...surroundings, causes, powers: powersOf(code), block: { number, hash, timestamp } }
  })
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
type TradeReport = Omit<HoneypotReport, 'block' | 'powers' | 'causes' | keyof Surroundings> &
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
