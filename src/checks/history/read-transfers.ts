import type { Chain } from '../../chains/chain.js'
import { toQuantity } from '../../hex.js'
import type { RpcBudget } from '../../rpc/budget.js'
import type { RpcClient } from '../../rpc/client.js'
import { createLogReader, type LogReader } from '../../rpc/logs.js'
import { getBlock } from '../../rpc/methods.js'
import { unwrap } from '../../rpc/request.js'
import { type ReadTransfers, TRANSFER_TOPIC } from './check-history.js'

/** Reads `Transfer` logs from the chain's nodes, and tells the time of each. */
export function createReadTransfers(rpcOf: (chain: Chain) => RpcClient): ReadTransfers {
  // Readers learn what each chain's nodes accept.
  const readers = new Map<number, LogReader>()
  const readerOf = (chain: Chain, rpc: RpcClient) => {
    const reader = readers.get(chain.id) ?? createLogReader({ rpc })
    readers.set(chain.id, reader)
    return reader
  }
  return async ({ chain, token, fromBlock, toBlock, toBlockTime, signal }) => {
    const rpc = rpcOf(chain)
    const budget = rpc.createBudget(signal ? { signal } : {})
    const query = { address: token, topics: [TRANSFER_TOPIC], fromBlock, toBlock }
    const scan = await readerOf(chain, rpc).read(query, { budget })
    const untimed = scan.logs.slice(0, MAX_EXACT_TIMES).filter(({ timestamp }) => timestamp === undefined)
    const times = await readTimes(
      rpc,
      untimed.map(({ blockNumber }) => blockNumber),
      budget,
    )
    const covered = {
      from: scan.coveredFrom ?? toBlock,
      since: Number(scan.coveredSince ?? (scan.coveredFrom === 0n ? 0n : toBlockTime)),
    }
    const estimate = (height: bigint) => between(height, covered, { from: toBlock, since: Number(toBlockTime) })
    return {
      logs: scan.logs.map((log) => ({
        hash: log.transactionHash,
        blockNumber: log.blockNumber,
        logIndex: log.logIndex,
        topics: log.topics,
        data: log.data,
        timestamp: Number(log.timestamp ?? times.get(log.blockNumber) ?? estimate(log.blockNumber)),
      })),
      coveredFrom: covered.from,
      coveredSince: covered.since,
    }
  }
}

/** The newest transfers are shown with their time; to count the others, an estimate is good enough. */
const MAX_EXACT_TIMES = 10

/** Timestamps of blocks, all in one request; none where none are wanted. A block that the node does not have is left out. */
async function readTimes(
  rpc: RpcClient,
  heights: readonly bigint[],
  budget: RpcBudget,
): Promise<ReadonlyMap<bigint, bigint>> {
  if (heights.length === 0) return new Map()
  const requests = [...new Set(heights)].map((height) => getBlock(toQuantity(height)))
  const blocks = (await rpc.batch(requests, { budget })).map((outcome) => unwrap(outcome))
  return new Map(blocks.flatMap((block) => (block ? [[block.number, block.timestamp] as const] : [])))
}

/** A block and its time, in seconds. */
interface Moment {
  from: bigint
  since: number
}

/** The time of a block between two whose time is known, as if blocks came evenly. */
function between(height: bigint, first: Moment, last: Moment): number {
  const blocks = Number(last.from - first.from)
  return blocks === 0 ? last.since : first.since + (Number(height - first.from) * (last.since - first.since)) / blocks
}
