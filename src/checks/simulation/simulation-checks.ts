import type { BytecodeReport } from '../bytecode/bytecode-report.js'
import type { HistoryReport } from '../history/history-report.js'
import type { TokenIdentity } from '../identity/token-identity.js'
import type { FailedCheck } from '../settle.js'
import type { TradeReport } from '../trade/trade-report.js'

/** The three independent answers of one simulation request, all at one block. */
export interface SimulationChecks {
  block: { number: bigint; hash: string; timestamp: bigint }
  trade: TradeReport | FailedCheck
  bytecode: BytecodeReport | FailedCheck
  history: HistoryReport | FailedCheck
  /** Absent where it is no token, or could not be asked. */
  identity: TokenIdentity | undefined
}
