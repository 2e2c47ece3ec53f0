import type { Chain } from '../../chains/chain.js'
import type { Log } from '../../evm/inspector.js'
import type { TransactionResult } from '../../evm/transaction.js'

/** What two executions of a transaction can differ in. */
export type Difference = 'status' | 'output' | 'logs' | 'gasUsed'

/** What a node says of a transaction that it executed. */
export type NodeResult = Pick<TransactionResult, 'gasUsed' | 'output' | 'logs'> & { isSuccess: boolean }

/**
 * Wherein a node contradicts us. How a failure is called is not compared, since nodes have words of
 * their own for it; nor the order of logs, which not all tracers tell; nor the gas of Arbitrum,
 * where a node adds what L1 costs.
 */
export function compareResults(chain: Chain, ours: TransactionResult, theirs: NodeResult): Difference[] {
  const isSuccess = ours.status === 'success'
  const differences: Record<Difference, boolean> = {
    status: isSuccess !== theirs.isSuccess,
    output: ours.output !== theirs.output,
    logs: isSuccess && theirs.isSuccess && textOf(ours.logs) !== textOf(theirs.logs),
    gasUsed: chain.numberSource === 'block' && ours.gasUsed !== theirs.gasUsed,
  }
  return (Object.keys(differences) as Difference[]).filter((each) => differences[each])
}

const textOf = (logs: readonly Log[]) =>
  JSON.stringify(logs.map(({ address, topics, data }) => [address, ...topics, data].join(' ')).toSorted())
