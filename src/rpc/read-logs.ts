import { largerOf, smallerOf } from '../bigints.js'
import type { RpcBudget } from './budget.js'
import type { LogEntry } from './log-entry.js'
import { type BlockRange, type LogPage, type LogQuery, readLogPage } from './log-page.js'
import { createWidths, LogsRefusedError, LogsTooHeavyError, type TakenWidth } from './log-widths.js'
import type { RpcClient } from './rpc-client.js'

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
  /**
   * The oldest block that was read; above `fromBlock` when a bound ended the reading. `undefined`:
   * nothing was read.
   */
  coveredFrom: bigint | undefined
  /** Timestamp of that block, in seconds; `undefined` where the node does not have it any more. */
  coveredSince: bigint | undefined
  /**
   * Why the reading ended before `fromBlock`, if it did. Fewer logs than there are must never be
   * taken for all of them. `refused`: the contract's own logs were too much for the nodes or for
   * us.
   */
  truncated: 'requests' | 'logs' | 'time' | 'refused' | undefined
}

export interface LogReader {
  /**
   * Reads backwards from `toBlock`, in ranges as wide as the node takes. Rejects only when nothing
   * could be read.
   */
  read(query: LogQuery, options?: LogReadOptions): Promise<LogScan>
}

export interface LogReadOptions {
  budget?: RpcBudget | undefined
  bounds?: Partial<LogBounds>
  /**
   * So many of the newest blocks are asked for by themselves, beside the rest: they still count
   * when the node refuses the rest.
   */
  newestBlocks?: bigint | undefined
}

/** Reads logs under bounds, from nodes that each have limits of their own, which it learns. */
export function createLogReader({ rpc }: { rpc: RpcClient }): LogReader {
  const widths = createWidths(rpc)

  return {
    async read(query, { budget = rpc.createBudget(), bounds, newestBlocks = 0n } = {}) {
      if (widths.isSilent()) throw new LogsRefusedError()
      const limits = { ...DEFAULT_BOUNDS, ...bounds }
      const startMs = budget.remainingMs()
      const scan: LogScan = { logs: [], coveredFrom: undefined, coveredSince: undefined, truncated: undefined }
      const walk = startWalk(query, widths.of(query.suspect))
      for (let requests = 0; walk.next >= query.fromBlock; requests += 1) {
        scan.truncated = boundOf(limits, { requests, logs: scan.logs.length, ms: startMs - budget.remainingMs() })
        if (scan.truncated) break
        const ranges = chooseRanges(walk, query, newestBlocks)
        const page = await readLogPage(rpc, query, ranges, { budget, prefer: walk.endpoint })
        if (typeof page === 'string' && askForLess(walk, ranges, page)) continue
        if (typeof page === 'string' || page instanceof Error) {
          if (scan.coveredFrom === undefined) throw await widths.explain(query, page, budget)
          scan.truncated = 'refused'
          break
        }
        const { refused, width, wasRefused } = walk
        walk.endpoint = page.endpoint
        if (wasRefused) await widths.learn({ query, refused, taken: { width, endpoint: page.endpoint }, budget })
        takePage(page, scan, walk)
      }
      if (walk.isHeavy && scan.coveredFrom === undefined) throw new LogsTooHeavyError()
      if (walk.isHeavy && scan.truncated) scan.truncated = 'refused'
      return scan
    },
  }
}

/** Where a reading stands. */
interface Walk extends TakenWidth {
  /** The newest block that was not read yet. */
  next: bigint
  isFirst: boolean
  wasRefused: boolean
  /** The narrowest range that was refused. */
  refused: BlockRange | undefined
  /** An answer was too long or too late. */
  isHeavy: boolean
}

function startWalk({ fromBlock, toBlock }: LogQuery, { width, endpoint }: TakenWidth): Walk {
  const start = { next: toBlock, isFirst: true, wasRefused: false, refused: undefined, isHeavy: false }
  return { ...start, endpoint, width: smallerOf(width, largerOf(1n, toBlock - fromBlock + 1n)) }
}

/**
 * The newest blocks beside the rest at first; one range until the node has shown that it takes this
 * width, and then several.
 */
function chooseRanges(walk: Walk, { fromBlock }: LogQuery, newestBlocks: bigint): BlockRange[] {
  const { isFirst, wasRefused, next, width } = walk
  if (isFirst && !wasRefused && newestBlocks > 0n && newestBlocks < width)
    return cutApart(fromBlock, next, newestBlocks, width)
  return cut(fromBlock, next, width, isFirst || wasRefused ? 1 : MAX_RANGES)
}

/** Whether there is less to ask for. */
function askForLess(walk: Walk, ranges: readonly BlockRange[], page: 'too wide' | 'too much'): boolean {
  const [newest] = ranges
  const isLeast = walk.width <= 1n && ranges.length === 1
  walk.isHeavy ||= isLeast || page === 'too much'
  walk.wasRefused = true
  walk.refused = newest
  if (isLeast || newest === undefined) return false
  const isApart = walk.isFirst && ranges.length > 1
  if (isApart) walk.width = newest.to - newest.from + 1n
  else walk.width = page === 'too wide' ? narrower(walk.width) : lighter(walk.width)
  return true
}

function takePage({ logs, coveredFrom, since, refused }: LogPage, scan: LogScan, walk: Walk): void {
  scan.logs.push(...logs)
  scan.coveredFrom = coveredFrom
  scan.coveredSince = since
  walk.isFirst = false
  walk.next = coveredFrom - 1n
  walk.wasRefused = refused !== undefined
  if (refused === undefined) return
  walk.refused = refused
  walk.width = narrower(refused.to - refused.from + 1n)
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
/** Ranges in one HTTP request, once the node has shown that it takes ranges of this width. */
const MAX_RANGES = 4

/** Limits that providers are known to have; one is tried after the other. */
const KNOWN_WIDTHS = [50_000n, 10_000n, 5_000n, 3_500n, 2_000n, 1_000n, 500n, 100n, 50n, 10n, 5n, 2n, 1n]

function narrower(width: bigint): bigint {
  // A width that is little below the refused one would be refused as well.
  return KNOWN_WIDTHS.find((known) => known * 10n <= width * 9n) ?? 1n
}

/** A few long logs stand in few blocks: those are found in four steps out of a week of Ethereum. */
const lighter = (width: bigint): bigint => largerOf(1n, width / 16n)

/** Ranges from `toBlock` downwards; none below `fromBlock`. */
function cut(fromBlock: bigint, toBlock: bigint, width: bigint, maxRanges: number): BlockRange[] {
  const ranges: BlockRange[] = []
  for (let to = toBlock; to >= fromBlock && ranges.length < maxRanges; to -= width) {
    ranges.push({ from: largerOf(fromBlock, to - width + 1n), to })
  }
  return ranges
}

/** The newest `newestBlocks`, and beside them as much of the rest as `width` allows. */
function cutApart(fromBlock: bigint, toBlock: bigint, newestBlocks: bigint, width: bigint): BlockRange[] {
  const newest = { from: largerOf(fromBlock, toBlock - newestBlocks + 1n), to: toBlock }
  return [newest, ...cut(fromBlock, newest.from - 1n, width, 1)]
}
