import type { Address } from '../../hex.js'
import type { StateSource } from '../../state/state-source.js'
import type { BytecodeJudge } from '../bytecode/bytecode-judge.js'
import type { BytecodeReport } from '../bytecode/bytecode-report.js'
import { isFailed, settle } from '../settle.js'
import type { AnalysisTarget } from '../target.js'
import { runTradeScenario, type TradeDependencies, type TradeOutcome } from '../trade/run-trade-scenario.js'
import type { HoneypotFacts } from './honeypot-facts.js'
import { beginLookAround, type Looked, type SurroundingsDependencies } from './look-around.js'
import { findPoolAllowance, type PoolAllowance } from './pool-allowance.js'
import type { TradeAsked } from './share-asked-trades.js'
import { timeTravel } from './time-travel.js'

export interface InspectionDependencies extends Omit<SurroundingsDependencies, 'onCheckFailure'> {
  /** Without one, nothing is said about powers. */
  bytecodeJudge?: BytecodeJudge
  /** Without it, the windows of an amount are traded in a run of their own. */
  tradeAsked?: TradeAsked
  /** Told when a part failed, which fails nothing else. */
  onCheckFailure?(check: 'bytecode' | 'holders' | 'liquidity' | 'origin', error: unknown): void
}

/** Everything that is found out about one token, traded for one amount at one block. */
export interface Inspection {
  traded: TradeOutcome<HoneypotFacts>
  /** What may be taken from the pool; `undefined` where there was nothing to ask. */
  allowance: TradeOutcome<PoolAllowance | undefined> | undefined
  around: Looked
  /** Absent where the code was not, or could not be, analysed. */
  code: BytecodeReport | undefined
}

/** Trades in all windows and circumstances, reads the code, and looks around. */
export async function inspectToken(
  dependencies: InspectionDependencies,
  target: AnalysisTarget,
  state: StateSource,
): Promise<Inspection> {
  const lookAround = beginLookAround(dependencies, target, state)
  const reading = readCode(dependencies, target, state)
  const traded = await runTradeScenario(dependencies, timeTravel, target, state)
  const [around, code] = await Promise.all([lookAround(traded.facts), reading])
  const spenders = [...new Set([...(traded.facts?.namedAccounts ?? []), ...makersIn(around)])]
  const allowance = await lookForAllowance(dependencies, target, state, traded.facts, spenders)
  return { traded, allowance, around, code }
}

/** Who made the token, and who brought its liquidity: a token need not name them. */
const makersIn = ({ origin, liquidity }: Looked): Address[] =>
  [
    ...new Set([
      ...(origin?.known?.creator ? [origin.known.creator] : []),
      ...(liquidity?.holders.filter(({ kind }) => kind === 'account').map(({ address }) => address) ?? []),
    ]),
  ].slice(0, MAX_MAKERS)

const MAX_MAKERS = 8

async function lookForAllowance(
  dependencies: TradeDependencies,
  target: AnalysisTarget,
  state: StateSource,
  { market }: Partial<HoneypotFacts> = {},
  spenders: readonly Address[],
): Promise<Inspection['allowance']> {
  if (!market || spenders.length === 0) return undefined
  return runTradeScenario(dependencies, findPoolAllowance, target, state, { pool: market.pool, spenders })
}

/** `undefined` where the code could not be analysed, which says nothing about any address. */
async function readCode(
  { bytecodeJudge, onCheckFailure }: InspectionDependencies,
  { chain, address, signal }: AnalysisTarget,
  state: StateSource,
): Promise<BytecodeReport | undefined> {
  if (!bytecodeJudge) return undefined
  const judged = bytecodeJudge.judge({ state, address, chain, ...(signal && { signal }) })
  const report = await settle(judged, (error) => onCheckFailure?.('bytecode', error))
  return isFailed(report) ? undefined : report
}

/** Whether the same inspection at this block would come to the same. */
export const isWhole = ({ traded, allowance, around, code }: Inspection): boolean =>
  traded.facts !== undefined &&
  traded.facts.unfinished === undefined &&
  allowance?.resisted === undefined &&
  around.sweep?.unfinished === undefined &&
  !around.isLate &&
  code !== undefined
