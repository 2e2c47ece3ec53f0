import { BaseError } from '../errors.js'
import type { RpcBudget } from './budget.js'
import type { RpcClient } from './client.js'
import type { LogEntry } from './log-entry.js'
import { type BlockRange, type LogQuery, readLogPage } from './log-page.js'

export interface LogBounds {
  maxHttpRequests: number
  /** Reading stops after the request that goes beyond this. */
  maxLogs: number
  /** Reading stops after the request that ends later than this. */
  maxMs: number
}

export interface LogScan {
  /** Newest first. Complete from `coveredFrom` to the query's `toBlock`. */
  logs: LogEntry[]
  /** The oldest block that was read; above `fromBlock` when a bound ended the reading. `undefined`: nothing was read. */
  coveredFrom: bigint | undefined
  /** Timestamp of that block, in seconds; `undefined` where the node does not have it any more. */
  coveredSince: bigint | undefined
  /** Why the reading ended before `fromBlock`, if it did. Fewer logs than there are must never be taken for all of them. */
  truncated: 'requests' | 'logs' | 'time' | 'refused' | undefined
}

export interface LogReader {
  /** Reads backwards from `toBlock`, in ranges as wide as the node takes. Rejects only when nothing could be read. */
  read(query: LogQuery, options?: LogReadOptions): Promise<LogScan>
}

export interface LogReadOptions {
  budget?: RpcBudget | undefined
  bounds?: Partial<LogBounds>
  /** So many of the newest blocks are asked for by themselves, beside the rest: they still count when the node refuses the rest. */
  newestBlocks?: bigint | undefined
}

/** Reads logs under bounds, from nodes that each have limits of their own, which it learns. */
export function createLogReader({ rpc }: { rpc: RpcClient }): LogReader {
  /** What the nodes last took: a width, and who took it. */
  let learned: { width: bigint; endpoint: number | undefined } = { width: MAX_WIDTH, endpoint: undefined }
  let learnedUntil = 0
  let silentUntil = 0

  return {
    async read(query, { budget = rpc.createBudget(), bounds, newestBlocks = 0n } = {}) {
      if (rpc.clock.monotonic() < silentUntil) throw new LogsRefusedError()
      const limits = { ...DEFAULT_BOUNDS, ...bounds }
      const startMs = budget.remainingMs()
      const scan: LogScan = { logs: [], coveredFrom: undefined, coveredSince: undefined, truncated: undefined }
      if (rpc.clock.monotonic() >= learnedUntil) learned = { width: MAX_WIDTH, endpoint: undefined }
      let { width, endpoint } = learned
      width = minOf(width, maxOf(1n, query.toBlock - query.fromBlock + 1n))
      let wasRefused = false
      let next = query.toBlock
      for (let requests = 0; next >= query.fromBlock; requests += 1) {
        scan.truncated = boundOf(limits, { requests, logs: scan.logs.length, ms: startMs - budget.remainingMs() })
        if (scan.truncated) break
        const isFirst = scan.coveredFrom === undefined && !wasRefused
        const isApart = isFirst && newestBlocks > 0n && newestBlocks < width
        const isProven = !isFirst && !wasRefused
        const ranges = isApart
          ? cutApart(query.fromBlock, next, newestBlocks, width)
          : cut(query.fromBlock, next, width, isProven ? MAX_RANGES : 1)
        const page = await readLogPage(rpc, query, ranges, { budget, prefer: endpoint })
        if (page === 'too wide' && width > 1n) {
          width = isApart ? newestBlocks : narrower(width)
          wasRefused = true
        } else if (page instanceof Error || page === 'too wide') {
          if (page === 'too wide') silentUntil = rpc.clock.monotonic() + SILENT_MS
          if (scan.coveredFrom === undefined) throw page === 'too wide' ? new LogsRefusedError() : page
          scan.truncated = 'refused'
          break
        } else {
          endpoint = page.endpoint
          // A refusal over the number of logs says nothing about the next token; one over the number of blocks does.
          if (wasRefused && page.logs.length < FEW_LOGS) {
            learned = { width, endpoint }
            learnedUntil = rpc.clock.monotonic() + LEARNED_MS
          }
          wasRefused = page.refused !== undefined
          if (page.refused) width = narrower(page.refused.to - page.refused.from + 1n)
          scan.logs.push(...page.logs)
          scan.coveredFrom = page.coveredFrom
          scan.coveredSince = page.since
          next = scan.coveredFrom - 1n
        }
      }
      return scan
    },
  }
}

function boundOf(limits: LogBounds, used: { requests: number; logs: number; ms: number }): LogScan['truncated'] {
  if (used.requests >= limits.maxHttpRequests) return 'requests'
  if (used.logs >= limits.maxLogs) return 'logs'
  return used.ms >= limits.maxMs ? 'time' : undefined
}

const DEFAULT_BOUNDS: LogBounds = {
  /** A week of Ethereum at 10,000 blocks a request takes six. */
  maxHttpRequests: 24,
  maxLogs: 5_000,
  maxMs: 4_000,
}
/** Nobody lets more be asked for. */
const MAX_WIDTH = 10_000_000n
/** Then the wide range is tried again: the node that refused may have been the second choice. */
const LEARNED_MS = 600_000
/** Nodes that refused every range are not asked again and again. */
const SILENT_MS = 30_000
/** Ranges in one HTTP request, once the node has shown that it takes ranges of this width. */
const MAX_RANGES = 4
/** A page with fewer logs than this was not refused for their number. Limits on that begin at 1,000. */
const FEW_LOGS = 500

/** Limits that providers are known to have; one is tried after the other. */
const KNOWN_WIDTHS = [50_000n, 10_000n, 5_000n, 3_500n, 2_000n, 1_000n, 500n, 100n, 50n, 10n, 5n, 2n, 1n]

function narrower(width: bigint): bigint {
  // A width that is little below the refused one would be refused as well.
  return KNOWN_WIDTHS.find((known) => known * 10n <= width * 9n) ?? 1n
}

/** Ranges from `toBlock` downwards; none below `fromBlock`. */
function cut(fromBlock: bigint, toBlock: bigint, width: bigint, maxRanges: number): BlockRange[] {
  const ranges: BlockRange[] = []
  for (let to = toBlock; to >= fromBlock && ranges.length < maxRanges; to -= width) {
    ranges.push({ from: maxOf(fromBlock, to - width + 1n), to })
  }
  return ranges
}

/** The newest `newestBlocks`, and beside them as much of the rest as `width` allows. */
function cutApart(fromBlock: bigint, toBlock: bigint, newestBlocks: bigint, width: bigint): BlockRange[] {
  const newest = { from: maxOf(fromBlock, toBlock - newestBlocks + 1n), to: toBlock }
  return [newest, ...cut(fromBlock, newest.from - 1n, width, 1)]
}

const minOf = (a: bigint, b: bigint) => (a < b ? a : b)
const maxOf = (a: bigint, b: bigint) => (a > b ? a : b)

/** No node of this chain gives logs, of however few blocks. */
export class LogsRefusedError extends BaseError {
  override readonly name = 'LogsRefusedError'
  constructor() {
    super('The chain nodes refuse to search for logs', { docs: 'docs/operating.md' })
  }
}
