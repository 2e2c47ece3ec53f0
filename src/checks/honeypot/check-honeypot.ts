import type { Clock } from '../../clock.js'
import type { Address } from '../../hex.js'
import type { ReadAhead } from '../../state/rpc-state-source.js'
import type { StateSource } from '../../state/state-source.js'
import type { BytecodeJudge } from '../bytecode/bytecode-judge.js'
import { type OpenState, onPinnedBlock, tradePlan } from '../open-state.js'
import { runTradeScenario, type TradeDependencies, type TradeOutcome } from '../run-trade-scenario.js'
import { settle } from '../settle.js'
import type { AnalysisTarget } from '../target.js'
import { type HoneypotFacts, NOTHING_TRADED } from './honeypot-facts.js'
import { type Powers, powersOf } from './powers.js'
import { type HoneypotVerdict, judgeHoneypot } from './score.js'
import { timeTravel } from './time-travel.js'
import { WINDOWS } from './windows.js'

/** Whether a seller is trapped, now or later: the internal form of `honeypotResponse`. */
export interface HoneypotReport extends HoneypotVerdict {
  block: { number: bigint; hash: string; timestamp: bigint }
  transferTaxBps: number | undefined
  pair: Address | undefined
  venue: string | undefined
  maxBuy: bigint | undefined
  maxSell: bigint | undefined
  causes: HoneypotFacts['causes']
  /** Absent where the code was not, or could not be, analysed. */
  powers: Powers | undefined
}

export interface HoneypotDependencies extends TradeDependencies {
  openState: OpenState
  clock: Clock
  /** Without one, nothing is said about powers. */
  bytecodeJudge?: BytecodeJudge
  /** Told when the analysis of the code failed, which fails nothing else. */
  onCheckFailure?(check: 'bytecode', error: unknown): void
}

/** Trades a target in all three windows. Rejects when no node can be asked; code that resists gives an inconclusive report. */
export function createCheckHoneypot(
  dependencies: HoneypotDependencies,
): (target: AnalysisTarget) => Promise<HoneypotReport> {
  return (target) =>
    onPinnedBlock(dependencies.openState, target, honeypotPlan(target, dependencies.clock), async (state) => {
      const [outcome, powers] = await Promise.all([
        runTradeScenario(dependencies, timeTravel, target, state),
        readPowers(dependencies, target, state),
      ])
      const { number, hash, timestamp } = state.block
      return { ...toReport(outcome), powers, block: { number, hash, timestamp } }
    })
}

async function readPowers(
  { bytecodeJudge, onCheckFailure }: HoneypotDependencies,
  { chain, address, signal }: AnalysisTarget,
  state: StateSource,
): Promise<Powers | undefined> {
  const report = bytecodeJudge?.judge({ state, address, chain, ...(signal && { signal }) })
  return report && powersOf(await settle(report, (error) => onCheckFailure?.('bytecode', error)))
}

/** The later windows run other branches of a token that looks at the clock, so they are traced beside the first. */
function honeypotPlan(target: AnalysisTarget, clock: Clock): ReadAhead {
  const now = clock.now()
  const times = WINDOWS.map(({ afterMs }) => (afterMs === 0 ? undefined : BigInt(Math.floor((now + afterMs) / 1_000))))
  return tradePlan('honeypot', target, times)
}

function toReport({ facts: traded, resisted }: TradeOutcome<HoneypotFacts>): Omit<HoneypotReport, 'block' | 'powers'> {
  const facts = traded ?? { ...NOTHING_TRADED, kind: 'token' }
  const verdict = judgeHoneypot(facts)
  const inconclusive = resisted ?? verdict.inconclusive
  return {
    ...verdict,
    windows: verdict.windows.length > 0 ? verdict.windows : WINDOWS.map(({ label }) => untried(label, inconclusive)),
    inconclusive,
    transferTaxBps: facts.transferTaxBps,
    pair: facts.market?.pool,
    venue: facts.market?.venue,
    maxBuy: facts.maxBuy,
    maxSell: facts.maxSell,
    causes: facts.causes,
  }
}

/** A window in which nothing could be traded: three are always given, and this one says why it is empty. */
function untried(label: (typeof WINDOWS)[number]['label'], why = 'not traded'): HoneypotReport['windows'][number] {
  return { label, buyTaxBps: 0, sellTaxBps: 0, riskScore: 0, isHostile: false, errorReason: why }
}
