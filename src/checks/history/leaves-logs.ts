import type { Chain } from '../../chains/chain.js'
import type { Address } from '../../hex.js'
import { createLogReader, type LogReader } from '../../rpc/read-logs.js'
import type { RpcClient } from '../../rpc/rpc-client.js'

/** One request that tells whether there is any. */
const BOUNDS = { maxHttpRequests: 1, maxLogs: 1, maxMs: 2_000 }

/**
 * Whether a contract left any log from one block to another, both included, or may have: what the
 * node did not tell is not ruled out. Rejects when no node answers.
 */
export type LeavesLogs = (
  contract: { chain: Chain; address: Address },
  fromBlock: bigint,
  toBlock: bigint,
) => Promise<boolean>

export function createLeavesLogs(rpcOf: (chain: Chain) => RpcClient): LeavesLogs {
  const readers = new Map<number, LogReader>()
  return async ({ chain, address }, fromBlock, toBlock) => {
    const rpc = rpcOf(chain)
    const reader = readers.get(chain.id) ?? createLogReader({ rpc })
    readers.set(chain.id, reader)
    const query = { address, suspect: address, topics: [], fromBlock, toBlock }
    const { logs, truncated } = await reader.read(query, { budget: rpc.createBudget(), bounds: BOUNDS })
    return logs.length > 0 || truncated !== undefined
  }
}
