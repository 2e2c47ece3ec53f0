import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import type { ConcurrencyLimit } from './concurrency-limit.js'

export interface CoalescingOptions {
  slots: ConcurrencyLimit
  clock: Clock
}

export interface SharedJobRequest {
  /** Two jobs of one name lead to the same result. */
  name: string
  /** Whose turn it is among those who wait for a slot. */
  caller: string
  /** What the job depends on besides this machine; see `ConcurrencyLimit`. */
  lane?: string | undefined
  /** It is known to take little; see `ConcurrencyLimit`. */
  isShort?: boolean | undefined
  /** Fires when this caller needs the result no more. */
  signal: AbortSignal
  /** How long the job is worth waiting for; see `ConcurrencyLimit`. */
  waitMs?: number | undefined
  /**
   * The job is told to stop so long after it was asked for, so that it can still say what it found.
   */
  softMs: number
}

/** Jobs that several callers want at the same time are done once (request coalescing). */
export interface Coalescing<T> {
  /**
   * Runs `job` in a slot, or waits for one of the same name that was asked for a moment ago. It
   * begins at the first turn of any of its callers, and is told to stop when none is left. Rejects
   * as `ConcurrencyLimit` do when no caller could get a turn, and as the job does.
   */
  run(request: SharedJobRequest, job: Job<T>): Promise<T>
}

/** Told whose turn it has, and when to stop. */
type Job<T> = (turn: { signal: AbortSignal; caller: string }) => Promise<T>

export function createCoalescing<T>({ slots, clock }: CoalescingOptions): Coalescing<T> {
  /** No more than run and wait in `slots`. */
  const jobs = new Map<string, SharedJob<T>>()

  const begin = ({ name, lane, isShort, softMs }: SharedJobRequest, job: Job<T>): SharedJob<T> => {
    const shared = createSharedJob({ slots, clock, lane, isShort, softMs, job })
    jobs.set(name, shared)
    const forget = () => {
      if (jobs.get(name) === shared) jobs.delete(name)
    }
    shared.result.then(forget, forget)
    return shared
  }

  return {
    async run(request, job) {
      request.signal.throwIfAborted()
      const known = jobs.get(request.name)
      const shared = known?.isOpen() ? known : begin(request, job)
      shared.join(request)
      return shared.result
    },
  }
}

/**
 * How long after it was asked for a job may be joined: a caller that joins has so much less time
 * than alone; the same question comes at once, or not at all.
 */
const JOIN_MS = 1_000

interface SharedJob<T> {
  readonly result: Promise<T>
  isOpen(): boolean
  join(request: Pick<SharedJobRequest, 'caller' | 'signal' | 'waitMs'>): void
}

/** A caller's place in the queue, and how many of its requests wait for it. */
interface Ticket {
  waiting: number
  /** Fires when the place is not needed any more. */
  readonly left: AbortController
}

function createSharedJob<T>({
  slots,
  clock,
  lane,
  isShort,
  softMs,
  job,
}: CoalescingOptions & Pick<SharedJobRequest, 'lane' | 'isShort' | 'softMs'> & { job: Job<T> }): SharedJob<T> {
  const openUntil = clock.monotonic() + JOIN_MS
  const stop = new AbortController()
  /** By caller. */
  const tickets = new Map<string, Ticket>()
  let hasBegun = false
  let waiting = 0
  const { promise: result, resolve, reject } = createDeferred<T>()

  /**
   * A turn for each caller: no caller waits longer because another one with many jobs asked for the
   * same first. The first turn of any of them does the job.
   */
  const waitForTurn = async (caller: string, ticket: Ticket, waitMs: number | undefined): Promise<void> => {
    tickets.set(caller, ticket)
    let giveBack: () => void
    try {
      giveBack = await slots.take({ caller, lane, isShort, signal: ticket.left.signal, waitMs })
    } catch (error) {
      if (tickets.get(caller) === ticket) tickets.delete(caller)
      if (!hasBegun && tickets.size === 0) reject(error)
      return
    }
    if (hasBegun) return giveBack()
    hasBegun = true
    for (const { left } of tickets.values()) left.abort()
    tickets.clear()
    try {
      resolve(await job({ signal: stop.signal, caller }))
    } catch (error) {
      reject(error)
    } finally {
      giveBack()
    }
  }

  const giveUp = (reason: unknown) => {
    stop.abort(reason)
    for (const { left } of tickets.values()) left.abort(reason)
  }

  const timer = setTimeout(() => giveUp(new JobTimeError()), softMs)
  const stopTimer = () => clearTimeout(timer)
  result.then(stopTimer, stopTimer)
  return {
    result,
    isOpen: () => clock.monotonic() < openUntil && !stop.signal.aborted,
    join({ caller, signal, waitMs }) {
      let ticket = tickets.get(caller)
      if (ticket === undefined && !hasBegun) {
        ticket = { waiting: 0, left: new AbortController() }
        void waitForTurn(caller, ticket, waitMs)
      }
      waiting += 1
      if (ticket) ticket.waiting += 1
      const leave = () => {
        waiting -= 1
        if (waiting === 0) return giveUp(signal.reason)
        if (ticket === undefined || --ticket.waiting > 0) return
        if (tickets.get(caller) === ticket) tickets.delete(caller)
        ticket.left.abort(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
    },
  }
}

interface Deferred<T> {
  promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

function createDeferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, resolve: (value) => settle?.resolve(value), reject: (error) => settle?.reject(error) }
}

/** The time of a job is over. */
class JobTimeError extends BaseError {
  override readonly name = 'JobTimeError'

  constructor() {
    super('The time for this job is over')
  }
}
