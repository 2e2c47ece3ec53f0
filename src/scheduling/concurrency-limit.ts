import { BaseError } from '../errors.js'
import { createFairQueue } from './fair-queue.js'

export interface ConcurrencyLimitOptions {
  /** Jobs that run at the same time, whatever they do. */
  concurrency: number
  /**
   * Jobs that run at the same time at most: beyond `concurrency`, more begin step by step, as long
   * as `hasRoom`.
   */
  maxConcurrency?: number
  /**
   * Whether the jobs that run leave the machine something to do, because they wait for others.
   * Asked every few milliseconds while a job waits.
   */
  hasRoom?(): boolean
  /** Jobs that may wait for a slot. */
  maxWaiting: number
}

interface SlotRequest {
  /**
   * Waiting callers take turns, so that one with many jobs does not hold up one with a single job.
   */
  caller: string
  /** Ends the wait of a job that is not needed any more. */
  signal: AbortSignal | undefined
  /**
   * Milliseconds after which the wait ends because the job would come too late; without it there is
   * no such time.
   */
  waitMs?: number | undefined
}

export interface ConcurrencyLimit {
  /**
   * Runs `job` when its turn comes. Rejects at once with `QueueFullError` when too many wait
   * already, and with `QueueWaitEndedError` when `signal` fires or `waitMs` are over before.
   */
  run<T>(request: SlotRequest, job: () => Promise<T>): Promise<T>
  readonly running: number
  readonly waiting: number
}

/**
 * Bounds how much work goes on at the same time and how much may wait for it. A caller that has
 * nothing running and waits for {@link STARVATION_MS} while another has several is served beside
 * them: they may take long.
 */
export function createConcurrencyLimit({
  concurrency,
  maxConcurrency = concurrency,
  hasRoom = () => false,
  maxWaiting,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  const queue = createFairQueue<Waiting>()
  /** By caller. */
  const runningOf = new Map<string, number>()
  let running = 0
  /** Since the last look for room that was not owed to the end of a job. */
  let pause: NodeJS.Timeout | undefined

  const allowance = createAllowance({ concurrency, maxConcurrency, hasRoom })
  const hasSlot = () => allowance.permits(running)
  /** What has just begun does not show yet how much room it takes. */
  const isPaused = () => running >= concurrency && pause !== undefined

  const startNext = () => {
    const isFree = hasSlot()
    const isUnfair = running < maxConcurrency && running > runningOf.size
    const isServedNow = (caller: string, { isStarving }: Waiting) =>
      isFree || (isUnfair && isStarving && !runningOf.has(caller))
    const next = queue.take(isServedNow)
    if (next !== undefined) {
      running += 1
      runningOf.set(next.caller, (runningOf.get(next.caller) ?? 0) + 1)
      next.start()
    }
    const isWorthLooking = running >= concurrency && running < maxConcurrency
    if (isWorthLooking && (next !== undefined || queue.size > 0)) pause ??= setTimeout(endPause, PAUSE_MS)
  }

  const endPause = () => {
    pause = undefined
    startNext()
  }

  const end = (caller: string) => {
    running -= 1
    const left = (runningOf.get(caller) ?? 0) - 1
    if (left > 0) runningOf.set(caller, left)
    else runningOf.delete(caller)
    allowance.noteEnd({ running, waiting: queue.size })
    startNext()
  }

  const waitForSlot = ({ caller, signal, waitMs }: SlotRequest): Promise<void> => {
    if (queue.size >= maxWaiting && (isPaused() || !hasSlot())) return Promise.reject(new QueueFullError())
    return new Promise((resolve, reject) => {
      const endWait = (cause: unknown) => {
        stopWatching()
        queue.remove(caller, waiting)
        reject(new QueueWaitEndedError(cause))
      }
      const waiting: Waiting = {
        caller,
        isStarving: false,
        start() {
          stopWatching()
          resolve()
        },
      }
      const starve = () => {
        waiting.isStarving = true
        startNext()
      }
      const leave = () => endWait(signal?.reason)
      const timers = [
        maxConcurrency > concurrency ? setTimeout(starve, STARVATION_MS) : undefined,
        waitMs === undefined ? undefined : setTimeout(() => endWait(new TooLateError()), waitMs),
      ]
      const stopWatching = () => {
        for (const timer of timers) clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
      signal?.addEventListener('abort', leave, { once: true })
      queue.add(caller, waiting)
      if (!isPaused()) startNext()
    })
  }

  return {
    async run(request, job) {
      request.signal?.throwIfAborted()
      await waitForSlot(request)
      try {
        return await job()
      } finally {
        end(request.caller)
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return queue.size
    },
  }
}

/**
 * How many jobs may run by now. Grows with each one that ends, so that long ones, which show late
 * how much room they take, begin one by one.
 */
function createAllowance({
  concurrency,
  maxConcurrency,
  hasRoom,
}: Required<Omit<ConcurrencyLimitOptions, 'maxWaiting'>>): {
  permits(running: number): boolean
  noteEnd(left: { running: number; waiting: number }): void
} {
  const least = Math.min(maxConcurrency, EASY_SHARE * concurrency)
  let allowed = least
  const set = (count: number) => {
    allowed = Math.min(maxConcurrency, Math.max(least, count))
  }
  return {
    permits(running) {
      if (running < concurrency) return true
      if (running >= allowed) return false
      if (hasRoom()) return true
      set(allowed - 1)
      return false
    },
    noteEnd({ running, waiting }) {
      // No more than are wanted: a caller after a quiet time finds out anew.
      set(waiting > 0 ? allowed + 1 : Math.min(allowed, running + 1))
    },
  }
}

/** Of `concurrency`: as many begin without further ado while there is room. */
const EASY_SHARE = 2

/** Who waits for a slot. */
interface Waiting {
  readonly caller: string
  isStarving: boolean
  start(): void
}

/** Longer than a turn takes to come round among ordinary jobs, even when many wait. */
const STARVATION_MS = 100
const PAUSE_MS = 10

/** More work waits than can be done in reasonable time. */
export class QueueFullError extends BaseError {
  override readonly name = 'QueueFullError'

  constructor() {
    super('Too many jobs are waiting')
  }
}

/** The job's turn did not come while it was of use, and it was never begun. */
export class QueueWaitEndedError extends BaseError {
  override readonly name = 'QueueWaitEndedError'

  constructor(cause: unknown) {
    super('No slot became free in time', { cause })
  }
}

/** Of a turn: begun now, the job would not be done in time. */
class TooLateError extends BaseError {
  override readonly name = 'TooLateError'

  constructor() {
    super('The turn would come too late')
  }
}
