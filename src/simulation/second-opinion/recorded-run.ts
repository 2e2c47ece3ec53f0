import type { BlockEnvironment } from '../../evm/block-environment.js'
import type { TransactionRequest, TransactionResult } from '../../evm/transaction.js'
import type { StateOverrides } from '../../rpc/methods.js'
import type { StateMiss } from '../../state/state-reader.js'

/** A transaction of a run, with what a node needs to execute it by itself. Plain data. */
export interface RecordedTransaction {
  tx: TransactionRequest
  /** The block that it was played in. */
  environment: BlockEnvironment
  /** How the state before it differs from that of the pinned block. */
  changes: StateOverrides
  result: TransactionResult
}

export interface RecordedRun {
  transactions: readonly RecordedTransaction[]
  /** All that the run read of the pinned block. */
  reads: readonly StateMiss[]
}
