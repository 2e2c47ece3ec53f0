import type { Chain } from '../chains/chain.js'
import { createPoolLogs } from '../dex/pool-creations.js'
import { type Hex, toQuantity } from '../hex.js'
import type { LogEntry } from '../rpc/log-entry.js'
import { getBlock } from '../rpc/methods.js'
import { createLogReader } from '../rpc/read-logs.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import { type EvmChainOptions, readBlock, readEvmBlocks } from '../watching/evm-chain.js'
import type { SeenBlock } from '../watching/watch-store.js'
import { chooseListings } from './choose-listings.js'
import type { MarketSource } from './market-source.js'

export interface EvmMarketsOptions extends Pick<EvmChainOptions, 'onHead'> {
  chain: Chain
  rpc: RpcClient
}

/** Blocks that one look goes through; the next one goes on. */
const MAX_BLOCKS = 256n
/** Of one look. Logs of one block are read whole: a page takes 20,000. */
const LOG_BOUNDS = { maxHttpRequests: 6, maxLogs: 5_000, maxMs: 4_000 }

/** New markets of a chain with an EVM, from the logs of its exchanges' own contracts. */
export function createEvmMarkets({ chain, rpc, onHead }: EvmMarketsOptions): MarketSource {
  const pools = createPoolLogs(chain)
  const reader = createLogReader({ rpc })
  const blocks = readEvmBlocks({ rpc, onHead })
  let width = MAX_BLOCKS

  async function readLogs(from: bigint, last: SeenBlock, dry: readonly string[]): Promise<LogEntry[]> {
    try {
      const query = { ...pools.filter(dry as Hex[]), suspect: 'chain' as const, fromBlock: from, toBlock: last.number }
      const scan = await reader.read({ ...query, toBlockHash: last.hash as Hex }, { bounds: LOG_BOUNDS })
      if (scan.coveredFrom !== from) throw new RangeError('not all logs of new pools could be read')
      width = width * 2n < MAX_BLOCKS ? width * 2n : MAX_BLOCKS
      return scan.logs.toReversed()
    } catch (error) {
      width = width > 4n ? width / 4n : 1n
      throw error
    }
  }

  /** Times of the blocks of these logs, in seconds; `undefined` where one is not the log's. */
  async function readHeaders(logs: readonly LogEntry[]): Promise<Map<bigint, bigint> | undefined> {
    const hashes = new Map(logs.map(({ blockNumber, blockHash }) => [blockNumber, blockHash]))
    if (hashes.size === 0) return new Map()
    const asked = [...hashes.keys()].map((number) => getBlock(toQuantity(number)))
    const times = new Map<bigint, bigint>()
    for (const outcome of await rpc.batch(asked, { suspect: 'chain' })) {
      const header = outcome.ok ? outcome.value : undefined
      if (header === undefined || header.hash !== hashes.get(header.number)) return undefined
      times.set(header.number, header.timestamp)
    }
    return times
  }

  return {
    ...blocks,
    async reach(from, head) {
      const to = from + width - 1n
      return to >= head.number ? head : readBlock(rpc, to)
    },
    async find({ from, last, room, dry }) {
      const logs = await readLogs(from, last, dry)
      const { chosen, leftOut } = chooseListings(chain, pools, logs, room)
      const headers = await readHeaders(chosen.map(({ log }) => log))
      if (headers === undefined) return undefined
      const found = chosen.map(({ log, id, token, quote, pool, exchange }) => ({
        ...{ id, token, quote, pool, exchange, transaction: log.transactionHash },
        block: { number: log.blockNumber, hash: log.blockHash },
        blockTime: Number(headers.get(log.blockNumber) ?? 0n) * 1_000,
      }))
      const supplied = new Map(
        logs.flatMap((log) => {
          const pool = pools.supplied(log)
          return pool === undefined ? [] : [[pool, log.blockNumber] as const]
        }),
      )
      return { found, supplied, leftOut }
    },
  }
}
