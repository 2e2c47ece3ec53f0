import type { Chain } from '../../chains/chain.js'
import { readTokenMetadata, type TokenMetadata } from '../../dex/token-metadata.js'
import type { Address, Hex } from '../../hex.js'
import type { Simulator } from '../../simulation/simulator.js'
import type { PinnedBlock, StateSource } from '../../state/state-source.js'
import type { AnalysisTarget } from '../target.js'
import { DAY_SECONDS, describePulse, pulseOf, type TransferCount, WEEK_SECONDS } from './pulse.js'
import type { HistoryReport, TransferRecord } from './report.js'

export interface TransferQuery {
  chain: Chain
  token: Address
  fromBlock: bigint
  toBlock: bigint
  /** Timestamp of that block, in seconds. */
  toBlockTime: bigint
  signal?: AbortSignal
}

/** A `Transfer` event as the node gave it. */
export interface TransferLog {
  hash: Hex
  blockNumber: bigint
  logIndex: number
  topics: readonly Hex[]
  data: Hex
  /** Seconds since 1970: the block's, or worked out from its neighbours' when the node does not say. */
  timestamp: number
}

export interface TransferLogs {
  logs: readonly TransferLog[]
  /** Everything from this block on was read; above `fromBlock` when the node or a bound cut the reading short. */
  coveredFrom: bigint
  /** Timestamp of that block. */
  coveredSince: number
}

/** Reads the token's `Transfer` logs, newest blocks first, as far as its bounds allow. Rejects when nothing can be read. */
export type ReadTransfers = (query: TransferQuery) => Promise<TransferLogs>

/** `Transfer(address indexed from, address indexed to, uint256 value)` (EIP-20) */
export const TRANSFER_TOPIC: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const MAX_RECENT_TRANSFERS = 10

export interface HistoryDependencies {
  readTransfers: ReadTransfers
  simulator: Simulator
}

/** Whether the token is alive, from its `Transfer` logs of up to a week. What could not be read is not known, rather than dead. */
export async function checkHistory(
  { readTransfers, simulator }: HistoryDependencies,
  { chain, address, signal }: AnalysisTarget,
  state: StateSource,
): Promise<HistoryReport> {
  const abort = signal ? { signal } : {}
  // What the token calls itself only decorates the answer.
  const metadata = simulator
    .simulate({ scenario: readTokenMetadata, input: address, chain, state, ...abort })
    .catch(() => NAMELESS)
  const read: ReadRange = (fromBlock, toBlock, toBlockTime) =>
    readTransfers({ chain, token: address, fromBlock, toBlock, toBlockTime, ...abort })
  const [{ symbol, decimals }, seen] = await Promise.all([metadata, readUpToAWeek(read, chain, state.block)])

  const transfers = seen.logs.flatMap(parseTransfer)
  const day = countWithin(DAY_SECONDS, transfers, seen, state.block)
  const week = countWithin(WEEK_SECONDS, transfers, seen, state.block)
  const activityPulse = pulseOf(day, week)
  return {
    success: activityPulse !== undefined,
    activityPulse,
    message: describePulse(activityPulse, day, week),
    recentTransfers: transfers.sort(newestFirst).slice(0, MAX_RECENT_TRANSFERS),
    symbol,
    decimals,
  }
}

const NAMELESS: TokenMetadata = { symbol: '', decimals: undefined }

type ReadRange = (fromBlock: bigint, toBlock: bigint, toBlockTime: bigint) => Promise<TransferLogs>

/** A day first; the rest of the week only if the day was quiet and given whole. */
async function readUpToAWeek(
  read: ReadRange,
  chain: Chain,
  { number: head, timestamp }: PinnedBlock,
): Promise<TransferLogs> {
  const dayStart = heightBefore(chain, head, DAY_SECONDS)
  const day = await read(dayStart, head, timestamp)
  const isWhole = day.coveredFrom <= dayStart
  const coversWeek = day.coveredFrom === 0n || Number(timestamp) - day.coveredSince >= WEEK_SECONDS
  if (day.logs.length > 0 || !isWhole || coversWeek) return day
  const older = await read(heightBefore(chain, head, WEEK_SECONDS), day.coveredFrom - 1n, BigInt(day.coveredSince))
  return { ...older, logs: [...older.logs, ...day.logs] }
}

/** The height `seconds` before `head` at the chain's pace; a young chain ends at its first block. */
function heightBefore({ blockTimeMs }: Chain, head: bigint, seconds: number): bigint {
  const height = head - BigInt(Math.ceil((seconds * 1_000) / blockTimeMs))
  return height > 0n ? height : 0n
}

function countWithin(
  seconds: number,
  transfers: readonly TransferRecord[],
  { coveredFrom, coveredSince }: TransferLogs,
  { timestamp }: PinnedBlock,
): TransferCount {
  const since = Number(timestamp) - seconds
  const isComplete = coveredFrom === 0n || coveredSince <= since + PACE_TOLERANCE_SECONDS
  return {
    transfers: transfers.filter((transfer) => transfer.timestamp >= since).length,
    coveredSeconds: isComplete ? seconds : Number(timestamp) - coveredSince,
    isComplete,
  }
}

/** Blocks missed or early make a week by height a little shorter than a week by clock. */
const PACE_TOLERANCE_SECONDS = 2 * 3_600

/** EIP-20 transfers have two indexed addresses and one word of data, NFT transfers (EIP-721) a third indexed word. */
function parseTransfer({ topics, data, ...log }: TransferLog): TransferRecord[] {
  const [topic, from, to, tokenId] = topics
  if (topic !== TRANSFER_TOPIC || from === undefined || to === undefined) return []
  const value = tokenId === undefined ? wordOf(data) : 1n
  return value === undefined ? [] : [{ ...log, from: addressOf(from), to: addressOf(to), value }]
}

const wordOf = (data: Hex) => (data.length === 66 ? BigInt(data) : undefined)
const addressOf = (topic: Hex): Address => `0x${topic.slice(26)}`

function newestFirst(a: TransferRecord, b: TransferRecord): number {
  return Number(b.blockNumber - a.blockNumber) || b.logIndex - a.logIndex
}
