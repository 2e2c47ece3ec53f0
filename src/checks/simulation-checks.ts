import type { BytecodeReport } from './bytecode/bytecode-report.js'
import type { HistoryReport } from './history/history-report.js'
import type { TokenIdentity } from './identity/token-identity.js'
import type { TradeReport } from './trade/trade-report.js'

/** A check that could not give its report. The others are not affected. */
export interface FailedCheck {
  failed: true
  /** May reach a client. */
  errorReason: string
  /** The machine was too busy for it, which says nothing about the target. */
  code?: 'machine_busy'
}

/** The three independent answers of one simulation request, all at one block. */
export interface SimulationChecks {
  block: { number: bigint; hash: string; timestamp: bigint }
  trade: TradeReport | FailedCheck
  bytecode: BytecodeReport | FailedCheck
  history: HistoryReport | FailedCheck
  /** Absent where it is no token, or could not be asked. */
  identity: TokenIdentity | undefined
}
