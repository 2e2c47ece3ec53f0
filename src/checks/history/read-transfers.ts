import type { Chain } from '../../chains/chain.js'
import { toQuantity } from '../../hex.js'
import type { RpcBudget } from '../../rpc/budget.js'
import type { RpcClient } from '../../rpc/client.js'
import type { LogEntry } from '../../rpc/log-entry.js'
import { createLogReader } from '../../rpc/logs.js'
import { getBlock } from '../../rpc/methods.js'
import { unwrap } from '../../rpc/request.js'
import { type ReadTransfers, TRANSFER_TOPIC } from './check-history.js'

/** Reads `Transfer` logs from the chain's nodes, and tells the time of each. */
export function createReadTransfers(rpcOf: (chain: Chain) => RpcClient): ReadTransfers {
  return async ({ chain, token, fromBlock, toBlock, signal }) => {
    const rpc = rpcOf(chain)
    const budget = rpc.createBudget(signal ? { signal } : {})
    const query = { address: token, topics: [TRANSFER_TOPIC], fromBlock, toBlock }
    const scan = await createLogReader({ rpc }).read(query, { budget })
    const coveredFrom = scan.coveredFrom ?? toBlock
    const newest = scan.logs.slice(0, MAX_EXACT_TIMES).filter(({ timestamp }) => timestamp === undefined)
    const heights = [coveredFrom, toBlock, ...newest.map(({ blockNumber }) => blockNumber)]
    const times = await readTimes(rpc, heights, budget)
    const timeOf = (height: bigint) => times.get(height) ?? between(height, coveredFrom, toBlock, times)
    return {
      logs: scan.logs.map((log) => ({
        hash: log.transactionHash,
        blockNumber: log.blockNumber,
        logIndex: log.logIndex,
        topics: log.topics,
        data: log.data,
        timestamp: log.timestamp === undefined ? timeOf(log.blockNumber) : Number(log.timestamp),
      })),
      coveredFrom,
      coveredSince: timeOf(coveredFrom),
    }
  }
}

/** The newest transfers are shown with their time; to count the others, an estimate is good enough. */
const MAX_EXACT_TIMES = 10

type Times = ReadonlyMap<LogEntry['blockNumber'], number>

/** Timestamps of blocks, all in one request; a block that the node does not have is left out. */
async function readTimes(rpc: RpcClient, heights: readonly bigint[], budget: RpcBudget): Promise<Times> {
  const distinct = [...new Set(heights)]
  const requests = distinct.map((height) => getBlock(toQuantity(height)))
  const blocks = (await rpc.batch(requests, { budget })).map((outcome) => unwrap(outcome))
  return new Map(blocks.flatMap((block) => (block ? [[block.number, Number(block.timestamp)] as const] : [])))
}

/** The time of a block between two whose time is known, as if blocks came evenly. */
function between(height: bigint, from: bigint, to: bigint, times: Times): number {
  const [first = 0, last = first] = [times.get(from), times.get(to)]
  return to === from ? first : first + (Number(height - from) * (last - first)) / Number(to - from)
}
