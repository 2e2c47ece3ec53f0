import { faults } from '../../evm/faults.js'
import type { Inspector } from '../../evm/inspector.js'
import type { TransactionRequest, TransactionResult } from '../../evm/transaction.js'
import { hexToBytes, ZERO_ADDRESS } from '../../hex.js'

/** Tells inspectors of a transaction that a node executed: one frame, without what it called. */
export function announce(
  inspectors: readonly Inspector[],
  { from, to = ZERO_ADDRESS, value = 0n, data = '0x', gasLimit }: TransactionRequest,
  result: TransactionResult,
): void {
  const call = {
    kind: 'CALL' as const,
    depth: 0,
    from,
    to,
    value,
    gas: gasLimit,
    input: hexToBytes(data),
    codeAddress: to,
    isStatic: false,
  }
  const error = result.status === 'success' ? undefined : (result.error ?? faults.reverted)
  const end = { ...call, gasUsed: result.gasUsed, output: hexToBytes(result.output), error }
  for (const inspector of inspectors) {
    inspector.onTransaction?.(gasLimit)
    inspector.onCall?.(call)
    for (const log of result.logs) inspector.onLog?.(log, 0)
    inspector.onCallEnd?.(end)
    inspector.onTransactionEnd?.(result)
  }
}
