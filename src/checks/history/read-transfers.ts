import type { Chain } from '../../chains/chain.js'
import { type Address, toQuantity } from '../../hex.js'
import type { RpcBudget } from '../../rpc/budget.js'
import type { LogEntry } from '../../rpc/log-entry.js'
import { getBlock } from '../../rpc/methods.js'
import { createLogReader, type LogReader, type LogScan } from '../../rpc/read-logs.js'
import { unwrap } from '../../rpc/request.js'
import type { RpcClient } from '../../rpc/rpc-client.js'
import { createByteLru } from '../../scheduling/lru.js'
import type { PinnedBlock } from '../../state/state-source.js'
import { DAY_SECONDS, transfersPerDay, WEEK_SECONDS } from './pulse.js'
import { TRANSFER_TOPIC, type TransferLog } from './transfer-log.js'

export interface TransferQuery {
  chain: Chain
  token: Address
  head: PinnedBlock
  signal?: AbortSignal
}

/** What was read of the last week. */
export interface TransferReading {
  /** All there are from `coveredFrom` to the head, newest first. */
  logs: readonly TransferLog[]
  /** Above the start of the week when the node, a bound or a lively token cut the reading short. */
  coveredFrom: bigint
  /** Timestamp of that block, in seconds. */
  coveredSince: number
  /** Stretches of the rest of the week, of a token too busy to be read whole. */
  samples: readonly TransferSample[]
}

export interface TransferSample {
  seconds: number
  transfers: number
}

/**
 * Reads the token's `Transfer` logs of the last week, as far as its bounds allow: the whole week of
 * a quiet token, the newest and some samples of a busy one. Rejects when nothing can be read.
 */
export type ReadTransfers = (query: TransferQuery) => Promise<TransferReading>

/** Reads `Transfer` logs from the chain's nodes, and tells the time of each. */
export function createReadTransfers(rpcOf: (chain: Chain) => RpcClient): ReadTransfers {
  // Readers learn what each chain's nodes accept.
  const readers = new Map<number, LogReader>()
  const readerOf = (chain: Chain, rpc: RpcClient) => {
    const reader = readers.get(chain.id) ?? createLogReader({ rpc })
    readers.set(chain.id, reader)
    return reader
  }
  /** Transfers per day that a token had when it was last looked at. */
  const paces = createByteLru<number>({ maxBytes: MAX_PACE_BYTES, sizeOf: () => 8 })

  return async ({ chain, token, head, signal }) => {
    const rpc = rpcOf(chain)
    const budget = rpc.createBudget(signal ? { signal } : {})
    const scans: Scans = { reader: readerOf(chain, rpc), chain, token, head: head.number, budget }
    const key = `${chain.id}:${token}`
    const { newest, samples } = await readWeek(scans, paces.get(key) ?? 0)
    const reading = await tellTimes(rpc, budget, newest, head)
    paces.set(key, paceOf(reading, head))
    return { ...reading, samples }
  }
}

const MAX_PACE_BYTES = 1024 * 1024

/** A token with more transfers than this in a day is not read for a whole week each time. */
const BUSY_PER_DAY = 300

interface Scans {
  reader: LogReader
  chain: Chain
  token: Address
  head: bigint
  budget: RpcBudget
}

interface WeekScan {
  newest: LogScan
  samples: readonly TransferSample[]
}

/** `expectedPerDay` decides how to begin; what is found decides how to go on. */
async function readWeek(scans: Scans, expectedPerDay: number): Promise<WeekScan> {
  if (expectedPerDay > BUSY_PER_DAY) {
    const [newest, samples] = await Promise.all([readNewest(scans, expectedPerDay), readSamples(scans, expectedPerDay)])
    if (newest.logs.length >= ENOUGH_LOGS) return { newest, samples }
  }
  const newest = await readBack(scans)
  const seconds = secondsOf(scans.chain, scans.head - (newest.coveredFrom ?? scans.head))
  const perDay = transfersPerDay({ transfers: newest.logs.length, coveredSeconds: seconds })
  if (newest.truncated === undefined || perDay <= BUSY_PER_DAY) return { newest, samples: [] }
  return { newest, samples: await readSamples(scans, perDay) }
}

/** Fewer than this say little of how busy a token is. */
const ENOUGH_LOGS = 50
/** Of a busy token, about so many are read. */
const NEWEST_LOGS = 300

function readNewest({ reader, chain, token, head, budget }: Scans, perDay: number): Promise<LogScan> {
  const blocks = blocksHolding(NEWEST_LOGS, perDay, chain)
  return reader.read(queryOf(token, floor(head - blocks + 1n), head), { budget, bounds: WEEK_BOUNDS })
}

/**
 * The week in one request, if the node gives it: the day counts for itself, and a day without
 * transfers is worth the full bounds.
 */
async function readBack({ reader, chain, token, head, budget }: Scans): Promise<LogScan> {
  const start = floor(head - blocksIn(chain, WEEK_SECONDS))
  const newest = await reader.read(queryOf(token, start, head), {
    budget,
    bounds: WEEK_BOUNDS,
    newestBlocks: blocksIn(chain, DAY_SECONDS) + 1n,
  })
  if (newest.logs.length > 0 || newest.coveredFrom === undefined || newest.coveredFrom <= start) return newest
  const older = await reader.read(queryOf(token, start, newest.coveredFrom - 1n), { budget }).catch(() => newest)
  return older.coveredFrom === undefined ? newest : older
}

/** For more than the newest day, an estimate will do. */
const WEEK_BOUNDS = { maxHttpRequests: 6, maxLogs: 2_500, maxMs: 2_000 }

/** How long ago the samples of a busy token end, in days. */
const SAMPLE_DAYS = [1.5, 3, 4.5, 6]
const SAMPLE_LOGS = 50
const SAMPLE_BOUNDS = { maxHttpRequests: 1, maxLogs: 2_500, maxMs: 2_000 }

/** What cannot be read is left out: the estimate is then made from less. */
async function readSamples({ reader, chain, token, head, budget }: Scans, perDay: number): Promise<TransferSample[]> {
  const blocks = blocksHolding(SAMPLE_LOGS, perDay, chain)
  const ends = SAMPLE_DAYS.map((days) => head - blocksIn(chain, days * DAY_SECONDS)).filter((end) => end >= blocks)
  const samples = await Promise.all(
    ends.map(async (end) => {
      const query = queryOf(token, end - blocks + 1n, end)
      const scan = await reader.read(query, { budget, bounds: SAMPLE_BOUNDS }).catch(() => undefined)
      const isWhole = scan?.truncated === undefined && scan?.coveredFrom === query.fromBlock
      return isWhole && scan ? [{ seconds: secondsOf(chain, blocks), transfers: scan.logs.length }] : []
    }),
  )
  return samples.flat()
}

/** So many blocks that about `logs` transfers are in them, but no more than a sixth of a day. */
function blocksHolding(logs: number, perDay: number, chain: Chain): bigint {
  const seconds = Math.min((logs / perDay) * DAY_SECONDS, DAY_SECONDS / 6)
  return blocksIn(chain, seconds)
}

function queryOf(token: Address, fromBlock: bigint, toBlock: bigint) {
  return { address: token, suspect: token, topics: [TRANSFER_TOPIC], fromBlock, toBlock }
}

/** Heights at the chain's pace. */
const blocksIn = ({ blockTimeMs }: Chain, seconds: number) => BigInt(Math.ceil((seconds * 1_000) / blockTimeMs))
const secondsOf = ({ blockTimeMs }: Chain, blocks: bigint) => (Number(blocks) * blockTimeMs) / 1_000
/** A young chain ends at its first block. */
const floor = (height: bigint) => (height > 0n ? height : 0n)

function paceOf({ logs, coveredSince }: Omit<TransferReading, 'samples'>, { timestamp }: PinnedBlock): number {
  return transfersPerDay({ transfers: logs.length, coveredSeconds: Number(timestamp) - coveredSince })
}

/** Times of the newest transfers are exact; to count the others, an estimate is good enough. */
async function tellTimes(
  rpc: RpcClient,
  budget: RpcBudget,
  scan: LogScan,
  head: PinnedBlock,
): Promise<Omit<TransferReading, 'samples'>> {
  const untimed = scan.logs.slice(0, MAX_EXACT_TIMES).filter(({ timestamp }) => timestamp === undefined)
  const heights = untimed.map(({ blockNumber }) => blockNumber)
  const times = await readTimes(rpc, heights, budget)
  const covered = {
    from: scan.coveredFrom ?? head.number,
    since: Number(scan.coveredSince ?? (scan.coveredFrom === 0n ? 0n : head.timestamp)),
  }
  const timeOf = ({ blockNumber, timestamp }: LogEntry) =>
    Number(
      timestamp ??
        times.get(blockNumber) ??
        between(blockNumber, covered, { from: head.number, since: Number(head.timestamp) }),
    )
  return {
    logs: scan.logs.map((log) => ({
      hash: log.transactionHash,
      blockNumber: log.blockNumber,
      logIndex: log.logIndex,
      topics: log.topics,
      data: log.data,
      timestamp: timeOf(log),
    })),
    coveredFrom: covered.from,
    coveredSince: covered.since,
  }
}

const MAX_EXACT_TIMES = 10

/**
 * Timestamps of blocks, all in one request; none where none are wanted. A block that the node does
 * not have is left out.
 */
async function readTimes(
  rpc: RpcClient,
  heights: readonly bigint[],
  budget: RpcBudget,
): Promise<ReadonlyMap<bigint, bigint>> {
  if (heights.length === 0) return new Map()
  const requests = [...new Set(heights)].map((height) => getBlock(toQuantity(height)))
  const blocks = (await rpc.batch(requests, { suspect: 'chain', budget })).map((outcome) => unwrap(outcome))
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
