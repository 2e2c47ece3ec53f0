import { BaseError } from '../errors.js'
import type { Address } from '../hex.js'
import type { RpcBudget } from './budget.js'
import { type BlockRange, type LogQuery, readLogPage } from './log-page.js'
import { RpcRejectedError } from './node-replies.js'
import type { RpcClient } from './rpc-client.js'
import type { Suspect } from './suspect.js'

/** A width that was taken, and by which node. */
export interface TakenWidth {
  width: bigint
  endpoint: number | undefined
}

/**
 * How many blocks are asked for at once: what the nodes refuse for every contract is learned for
 * the chain, what they refuse one contract for that contract alone. Which of the two it was, the
 * nodes are asked with a question that is no contract's: the logs of an address that has none.
 */
export interface LogWidths {
  /** No node gives any logs, as was seen lately. */
  isSilent(): boolean
  /** What to begin with. */
  of(suspect: Suspect): TakenWidth
  learn(lesson: WidthLesson): Promise<void>
  /** What to throw when nothing could be read. */
  explain(query: LogQuery, page: 'too wide' | 'too much' | Error, budget: RpcBudget): Promise<Error>
}

interface WidthLesson {
  query: LogQuery
  /** The narrowest range that was refused. */
  refused: BlockRange | undefined
  taken: TakenWidth
  budget: RpcBudget
}

export function createWidths(rpc: RpcClient): LogWidths {
  const now = rpc.clock.monotonic
  let common: TakenWidth = WIDEST
  let commonUntil = 0
  let silentUntil = 0
  const own = new Map<Suspect, TakenWidth & { until: number }>()

  /** What the nodes say to a question of the same range that no contract has a hand in. */
  async function askOwn({ toBlock }: LogQuery, range: BlockRange, prefer: number | undefined, budget: RpcBudget) {
    const query: LogQuery = { address: SILENT_ADDRESS, suspect: 'chain', topics: [], fromBlock: range.from, toBlock }
    // Ours when it is late: a search of many blocks that were refused already is no test of a
    // node's health.
    const deadlineMs = Math.min(OWN_QUESTION_MS, budget.remainingMs())
    const ownBudget = rpc.createBudget({ deadlineMs, signal: budget.signal })
    return readLogPage(rpc, query, [range], { budget: ownBudget, prefer })
  }

  return {
    isSilent: () => now() < silentUntil,
    of(suspect) {
      if (now() >= commonUntil) common = WIDEST
      const mine = own.get(suspect)
      return mine && mine.until > now() && mine.width < common.width ? mine : common
    },
    async learn({ query, refused, taken, budget }) {
      remember(own, query.suspect, { ...taken, until: now() + LEARNED_MS })
      if (refused === undefined || taken.width >= common.width) return
      if ((await askOwn(query, refused, taken.endpoint, budget)) !== 'too wide') return
      common = taken
      commonUntil = now() + LEARNED_MS
    },
    async explain(query, page, budget) {
      if (!isNo(page)) return page
      const newest = { from: query.toBlock, to: query.toBlock }
      const answer = await askOwn(query, newest, undefined, budget)
      if (!(answer instanceof Error || typeof answer === 'string') || !isNo(answer))
        return page instanceof Error ? page : new LogsTooHeavyError()
      silentUntil = now() + SILENT_MS
      return new LogsRefusedError()
    },
  }
}

/** No node lets more be asked for. */
const WIDEST: TakenWidth = { width: 10_000_000n, endpoint: undefined }
/** Then the wide range is tried again: the node that refused may have been the second choice. */
const LEARNED_MS = 600_000
/** Nodes that refused every range are not asked again and again. */
const SILENT_MS = 30_000
/** Below the time after which a node counts as late. */
const OWN_QUESTION_MS = 1_500
/**
 * Contracts with a width of their own; the oldest is forgotten first, and begins with the chain's
 * again.
 */
const MAX_SUSPECTS = 1_000
/** Has neither code nor logs on any chain. */
const SILENT_ADDRESS: Address = '0x00000000000000000000000000000000a55a0003'

/**
 * Whether it is a no to the question itself, as opposed to a node that is ill, behind or asked too
 * often.
 */
function isNo(page: 'too wide' | 'too much' | Error): page is 'too wide' | 'too much' | Error {
  if (typeof page === 'string') return true
  const kind = page instanceof BaseError ? page.find(RpcRejectedError)?.kind : undefined
  return kind === 'unsupported' || kind === 'forbidden' || kind === 'refused'
}

function remember<K, V>(entries: Map<K, V>, key: K, value: V): void {
  entries.delete(key)
  entries.set(key, value)
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_SUSPECTS) break
    entries.delete(oldest)
  }
}

/** No node of this chain gives logs, of however few blocks. */
export class LogsRefusedError extends BaseError {
  override readonly name = 'LogsRefusedError'
  constructor() {
    super('The chain nodes refuse to search for logs', { docs: 'docs/operating.md' })
  }
}

/** One contract's logs are more than the nodes, or we, carry. */
export class LogsTooHeavyError extends BaseError {
  override readonly name = 'LogsTooHeavyError'
  constructor() {
    super('The logs of the contract were too long, or came too late', { docs: 'docs/operating.md' })
  }
}
