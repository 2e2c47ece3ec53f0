import { setMaxListeners } from 'node:events'
import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import { DeadlineError, withDeadline } from '../scheduling/with-deadline.js'

/** What one request of ours may cost the nodes, all its parts together. */
export interface RpcBudget {
  /** HTTP requests sent so far: each is a round trip, unless several go out side by side. */
  readonly httpRequests: number
  /** JSON-RPC calls sent so far. */
  readonly calls: number
  readonly signal: AbortSignal | undefined
  /** Whose analysis it is for; it takes turns with others where they wait for a node. */
  readonly caller: string | undefined
  remainingMs(): number
  /** Throws {@link RpcBudgetError} when the time is over or the signal has fired. */
  check(): void
  /** Takes from the budget, or throws {@link RpcBudgetError}. */
  spend(calls: number): void
}

export interface RpcBudgetOptions {
  clock: Clock
  maxCalls?: number
  /** From now. */
  deadlineMs?: number
  signal?: AbortSignal | undefined
  caller?: string | undefined
}

export function createRpcBudget({
  clock,
  maxCalls = DEFAULT_MAX_CALLS,
  deadlineMs = DEFAULT_DEADLINE_MS,
  signal,
  caller,
}: RpcBudgetOptions): RpcBudget {
  const endsAt = clock.monotonic() + deadlineMs
  // Each call listens while it is under way, hundreds at once where a node takes no batches; more
  // than ten would be called a leak.
  if (signal) setMaxListeners(maxCalls, signal)
  let httpRequests = 0
  let calls = 0
  const remainingMs = () => Math.max(0, endsAt - clock.monotonic())
  const check = () => {
    if (signal?.aborted) throw new RpcBudgetError('cancelled')
    if (remainingMs() === 0) throw new RpcBudgetError('out of time')
  }
  return {
    get httpRequests() {
      return httpRequests
    },
    get calls() {
      return calls
    },
    signal,
    caller,
    remainingMs,
    check,
    spend(count) {
      check()
      if (calls + count > maxCalls) throw new RpcBudgetError('out of calls')
      calls += count
      httpRequests += 1
    },
  }
}

/** Waits for something that is not on this budget, for as long as the budget allows. */
export async function withinBudget<T>(promise: Promise<T>, { remainingMs, signal }: RpcBudget): Promise<T> {
  // Where it is not waited for at all, its failure is of no account either.
  promise.catch(() => {})
  try {
    return await withDeadline({ ms: remainingMs(), signal }, () => promise)
  } catch (error) {
    if (error instanceof DeadlineError) throw new RpcBudgetError('out of time')
    throw signal?.aborted && error === signal.reason ? new RpcBudgetError('cancelled') : error
  }
}

/**
 * Thrice what a trade on a node that can do nothing but single reads needs, because a failed turn
 * is repeated; all others need 30.
 */
const DEFAULT_MAX_CALLS = 2_000
/** The deadline of an analysis. */
const DEFAULT_DEADLINE_MS = 15_000

/** The request has used up what it may cost the nodes, or no caller waits for it any more. */
export class RpcBudgetError extends BaseError {
  override readonly name = 'RpcBudgetError'
  readonly reason: 'out of calls' | 'out of time' | 'cancelled'
  constructor(reason: RpcBudgetError['reason']) {
    super(`Chain reads ended: ${reason}`)
    this.reason = reason
  }
}
