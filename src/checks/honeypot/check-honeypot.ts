import type { Address } from '../../hex.js'
import type { StateSource } from '../../state/state-source.js'
import { runTradeScenario, type TradeDependencies } from '../run-trade-scenario.js'
import type { AnalysisTarget } from '../target.js'
import { NOTHING_TRADED } from './honeypot-facts.js'
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
}

/** Trades the target in all three windows. A node that cannot be asked rejects; code that resists gives an inconclusive report. */
export async function checkHoneypot(
  dependencies: TradeDependencies,
  target: AnalysisTarget,
  state: StateSource,
): Promise<HoneypotReport> {
  const outcome = await runTradeScenario(dependencies, timeTravel, target, state)
  const { number, hash, timestamp } = state.block
  const facts = outcome.facts ?? { ...NOTHING_TRADED, kind: 'token' as const }
  const verdict = judgeHoneypot(facts)
  return {
    ...verdict,
    windows:
      verdict.windows.length > 0
        ? verdict.windows
        : WINDOWS.map(({ label }) => untried(label, outcome.resisted ?? verdict.inconclusive)),
    inconclusive: outcome.resisted ?? verdict.inconclusive,
    block: { number, hash, timestamp },
    transferTaxBps: facts.transferTaxBps,
    pair: facts.market?.pool,
    venue: facts.market?.venue,
    maxBuy: facts.maxBuy,
    maxSell: facts.maxSell,
  }
}

/** A window in which nothing could be traded: three are always given, and this one says why it is empty. */
function untried(label: (typeof WINDOWS)[number]['label'], why = 'not traded'): HoneypotReport['windows'][number] {
  return { label, buyTaxBps: 0, sellTaxBps: 0, riskScore: 0, isHostile: false, errorReason: why }
}
