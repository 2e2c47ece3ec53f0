import type { Hex } from '../../hex.js'
import { createSharedWork } from '../../scheduling/shared-work.js'
import { createSeededRandom } from '../../simulation/random.js'
import type { StateSource } from '../../state/state-source.js'
import { nameAtBlock } from '../name-at-block.js'
import type { AnalysisTarget } from '../target.js'
import { runTradeScenario, type TradeOutcome, tradeSeed } from '../trade/run-trade-scenario.js'
import type { HoneypotFacts } from './honeypot-facts.js'
import { type Inspection, type InspectionDependencies, inspectToken, isWhole } from './inspect-token.js'
import { timeTravel } from './time-travel.js'

/** Inspects the target, or takes what is known of it at this block. */
export type Inspect = (target: AnalysisTarget, state: StateSource) => Promise<Inspection>

/** Each has some 50 kB, most of them proofs. */
const MAX_KEPT = 64

/**
 * Inspections for any amount. What is not the ordinary trade does not depend on a few wei more: it
 * is found out once for a block and the order of the amount, and only the windows are traded for
 * the amount itself. Where that trade goes another way, the token is inspected with just that.
 */
export function createInspect(dependencies: InspectionDependencies): Inspect {
  const known = createSharedWork<Inspection>({ maxEntries: MAX_KEPT, isLasting: isWhole })
  const inspectFor = (target: AnalysisTarget, state: StateSource) =>
    known.get(
      `${nameAtBlock(target, state)} ${target.amount ?? ''}`,
      () => inspectToken(dependencies, target, state),
      target.signal,
    )

  const tradeWindows = async (target: AnalysisTarget, state: StateSource): Promise<TradeOutcome<HoneypotFacts>> => {
    const asked = await dependencies.tradeAsked?.(target, state)
    if (asked) return { facts: asked.windows }
    return runTradeScenario(dependencies, timeTravel, target, state, { onlyWindows: true })
  }

  return async (target, state) => {
    const { amount } = target
    if (amount === undefined) return inspectFor(target, state)
    const [inspection, asked] = await Promise.all([
      inspectFor({ ...target, amount: amountLike(amount, tradeSeed(dependencies.traderSecret, target, state)) }, state),
      tradeWindows(target, state),
    ])
    const { facts } = inspection.traded
    if (!asked.facts) return { ...inspection, traded: asked }
    if (!facts) return inspection
    if (isSameTrade(facts, asked.facts)) return { ...inspection, traded: { facts: withWindows(facts, asked.facts) } }
    return inspectToken(dependencies, target, state)
  }
}

/**
 * Wei of the order of `amount`, at most twice and at least a quarter of it, that only this trader
 * would think of: code that knew a round amount could behave for it.
 */
export function amountLike(amount: bigint, seed: Hex): bigint {
  const bits = amount.toString(2).length - 1
  const least = 1n << BigInt(bits - (bits % 2))
  return createSeededRandom(seed).between('amount of its order', least, 2n * least)
}

/** Whether both were played here, and what they bought could be sold by both, or by neither. */
const isSameTrade = (round: HoneypotFacts, asked: HoneypotFacts): boolean =>
  round.engine === undefined &&
  round.leastAmount === asked.leastAmount &&
  round.market?.pool === asked.market?.pool &&
  canSell(round) === canSell(asked) &&
  (asked.isTimeless !== true || isSteady(round))

const canSell = ({ windows: [now] }: HoneypotFacts) => now?.soldFresh?.success

/** Basis points: amounts are rounded at each step. */
const ROUNDING_BPS = 1

/** Whether all windows came to the same. */
function isSteady({ windows }: HoneypotFacts): boolean {
  const [now] = windows
  const isLike = (a: Taxed | undefined, b: Taxed | undefined) =>
    a?.success === b?.success && Math.abs((a?.taxBps ?? 0) - (b?.taxBps ?? 0)) <= ROUNDING_BPS
  return windows
    .slice(1)
    .every(
      ({ bought, soldFresh, soldHeld }) =>
        isLike(bought, now?.bought) && isLike(soldFresh, now?.soldFresh) && isLike(soldHeld, now?.soldFresh),
    )
}

type Taxed = { success: boolean; taxBps: number | undefined }

/** Those of the asked amount: where time can decide nothing, the later ones are as the first. */
function windowsOf(round: HoneypotFacts, { windows, isTimeless }: HoneypotFacts): HoneypotFacts['windows'] {
  const [now] = windows
  if (!isTimeless || now === undefined) return windows
  return round.windows.map(({ label }, i) => (i === 0 ? now : { ...now, label, soldHeld: now.soldFresh }))
}

/** What was found with a round amount, and the ordinary trades of the one that was asked about. */
const withWindows = (round: HoneypotFacts, asked: HoneypotFacts): HoneypotFacts => ({
  ...round,
  spent: asked.spent,
  windows: windowsOf(round, asked),
  causes: asked.causes,
  transferTaxBps: asked.transferTaxBps,
  transferErrorReason: asked.transferErrorReason,
  maxBuy: asked.maxBuy ?? round.maxBuy,
  unfinished: asked.unfinished ?? round.unfinished,
})
