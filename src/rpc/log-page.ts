import { BaseError } from '../errors.js'
import { type Address, type Hex, toQuantity } from '../hex.js'
import type { BlockHeader } from './block-header.js'
import type { RpcBudget } from './budget.js'
import { type LogEntry, parseLogEntry } from './log-entry.js'
import { getBlock } from './methods.js'
import { RpcRejectedError } from './node-replies.js'
import { parseList, RpcInvalidAnswerError } from './parse.js'
import { type RpcOutcome, type RpcRequest, unwrap } from './request.js'
import type { RpcClient, RpcNode } from './rpc-client.js'
import { isTooMuch, type Suspect } from './suspect.js'

export interface LogQuery {
  /** One contract, or any of several. */
  address: Address | readonly Address[]
  /** Whose logs they are: who can make them many and long. */
  suspect: Suspect
  /** As in `eth_getLogs`: `null` is anything, a list is any of it. */
  topics: readonly (Hex | readonly Hex[] | null)[]
  fromBlock: bigint
  toBlock: bigint
  /** When given, a node that has another block at `toBlock` is not believed. */
  toBlockHash?: Hex
}

/** Blocks from one to another, both included. */
export interface BlockRange {
  from: bigint
  to: bigint
}

/** What one HTTP request brought, newest first. */
export interface LogPage {
  logs: LogEntry[]
  coveredFrom: bigint
  since: bigint | undefined
  /** The range at which the page ends, because the node refused it. */
  refused: BlockRange | undefined
  endpoint: number
}

/**
 * One HTTP request; its page reaches to the first range that was refused. The last block stands
 * beside the logs, so that a node which is behind does not pass for one with no news, and the
 * oldest one of each range for its time. `too wide` is what the nodes said; `too much` was too long
 * or too late, and fewer blocks may do.
 */
export async function readLogPage(
  rpc: RpcClient,
  query: LogQuery,
  ranges: readonly BlockRange[],
  options: { budget: RpcBudget; prefer: number | undefined },
): Promise<LogPage | 'too wide' | 'too much' | Error> {
  const makePlan = ({ id }: RpcNode) => ({
    requests: [
      ...ranges.map((range, i) => ({ ...getLogs(query, range), optional: i > 0 })),
      ...ranges.map(({ from }) => ({ ...getBlock(toQuantity(from)), optional: true })),
      getBlock(toQuantity(query.toBlock)),
    ],
    read(outcomes: readonly RpcOutcome<unknown>[]): LogPage {
      checkBlock(query, outcomes.at(-1) as RpcOutcome<BlockHeader | undefined>)
      const found = outcomes.slice(0, ranges.length) as RpcOutcome<LogEntry[]>[]
      const refusedAt = found.findIndex((outcome, i) => i > 0 && !outcome.ok)
      const last = refusedAt < 0 ? ranges.length - 1 : refusedAt - 1
      const oldest = outcomes[ranges.length + last] as RpcOutcome<BlockHeader | undefined>
      return {
        logs: found.slice(0, last + 1).flatMap((outcome) => unwrap(outcome)),
        coveredFrom: ranges[last]?.from ?? query.toBlock,
        since: oldest.ok ? oldest.value?.timestamp : undefined,
        refused: ranges[last + 1],
        endpoint: id,
      }
    },
  })
  try {
    return await rpc.run(makePlan, { ...options, suspect: query.suspect, canAskLess: true })
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    if (error.find(RpcRejectedError)?.kind === 'range-too-wide') return 'too wide'
    return isTooMuch(error.cause) ? 'too much' : error
  }
}

function checkBlock({ toBlockHash }: LogQuery, outcome: RpcOutcome<BlockHeader | undefined>): void {
  const header = unwrap(outcome)
  const isThere = header !== undefined && (toBlockHash === undefined || header.hash === toBlockHash)
  if (!isThere) throw new RpcRejectedError({ method: 'eth_getLogs', kind: 'block-unknown' })
}

/**
 * The node's filter is not taken on trust: a log of another contract must not count as one of those
 * that were asked about.
 */
function getLogs({ address, topics }: LogQuery, { from, to }: BlockRange): RpcRequest<LogEntry[]> {
  const whose = new Set(typeof address === 'string' ? [address] : address)
  return {
    method: 'eth_getLogs',
    params: [{ address, topics, fromBlock: toQuantity(from), toBlock: toQuantity(to) }],
    parse: (value) => {
      const logs = parseList(value, parseLogEntry, MAX_LOGS_PER_ANSWER)
      const places = new Set(logs.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`))
      const isAsked = (log: LogEntry) =>
        whose.has(log.address) && log.blockNumber >= from && log.blockNumber <= to && matches(log.topics, topics)
      if (places.size !== logs.length || !logs.every(isAsked))
        throw new RpcInvalidAnswerError('logs as asked for', value)
      return logs.sort(newestFirst)
    },
  }
}

function matches(topics: readonly Hex[], wanted: LogQuery['topics']): boolean {
  return wanted.every((want, i) => {
    const topic = topics[i]
    if (want === null) return true
    return (
      topic !== undefined && (typeof want === 'string' ? want === topic : want.length === 0 || want.includes(topic))
    )
  })
}

function newestFirst(a: LogEntry, b: LogEntry): number {
  return a.blockNumber === b.blockNumber ? b.logIndex - a.logIndex : a.blockNumber < b.blockNumber ? 1 : -1
}

/** Logs that one answer may hold; 8 MB of JSON holds about 12,000. */
const MAX_LOGS_PER_ANSWER = 20_000
