import { BaseError } from '../errors.js'

export interface SlotsOptions {
  /** Jobs that run at the same time, whatever they do. */
  concurrency: number
  /** Jobs that run at the same time at most: beyond `concurrency`, one more begins whenever `hasRoom`. */
  maxConcurrency?: number
  /** Whether the jobs that run leave the machine something to do, because they wait for others. Asked every few milliseconds while somebody waits. */
  hasRoom?(): boolean
  /** Jobs that may wait for a slot. */
  maxWaiting: number
}

interface SlotRequest {
  /** Waiting callers take turns, so that one with many jobs does not hold up one with a single job. */
  caller: string
  /** Ends the wait of a job that nobody needs any more. */
  signal: AbortSignal
  /** Milliseconds after which the wait ends because the job would come too late; without it there is no such time. */
  waitMs?: number | undefined
}

export interface Slots {
  /**
   * Runs `job` when its turn comes. Rejects at once with `SlotsFullError` when too many wait already, and with `SlotWaitEndedError` when `signal` fires
   * or `waitMs` are over before.
   */
  run<T>(request: SlotRequest, job: () => Promise<T>): Promise<T>
  readonly running: number
  readonly waiting: number
}

/** Bounds how much work goes on at the same time and how much may wait for it. */
export function createSlots({
  concurrency,
  maxConcurrency = concurrency,
  hasRoom = () => false,
  maxWaiting,
}: SlotsOptions): Slots {
  /** Queues by caller. The first caller in the map is the next to be served. */
  const queues = new Map<string, Set<() => void>>()
  let running = 0
  let waiting = 0
  /** Since the last look for room that was not owed to the end of a job. */
  let pause: NodeJS.Timeout | undefined

  const hasSlot = () => running < concurrency || (running < maxConcurrency && hasRoom())
  /** What has just begun does not show yet how much room it takes. */
  const isPaused = () => running >= concurrency && pause !== undefined

  const startNext = () => {
    const [next] = queues
    if (next === undefined) return
    if (hasSlot()) startFirstOf(...next)
    if (running >= concurrency && running < maxConcurrency) pause ??= setTimeout(endPause, PAUSE_MS)
  }

  const endPause = () => {
    pause = undefined
    startNext()
  }

  const startFirstOf = (caller: string, queue: Set<() => void>) => {
    const [start] = queue
    queues.delete(caller)
    if (start === undefined) return
    queue.delete(start)
    if (queue.size > 0) queues.set(caller, queue)
    waiting -= 1
    running += 1
    start()
  }

  const waitForSlot = ({ caller, signal, waitMs }: SlotRequest): Promise<void> => {
    if (waiting >= maxWaiting && (isPaused() || !hasSlot())) return Promise.reject(new SlotsFullError())
    return new Promise((resolve, reject) => {
      const queue = queues.get(caller) ?? new Set()
      const start = () => {
        stopWatching()
        resolve()
      }
      const end = (cause: unknown) => {
        stopWatching()
        queue.delete(start)
        if (queue.size === 0) queues.delete(caller)
        waiting -= 1
        reject(new SlotWaitEndedError(cause))
      }
      const leave = () => end(signal.reason)
      const timer = waitMs === undefined ? undefined : setTimeout(() => end(new TooLateError()), waitMs)
      const stopWatching = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
      }
      queue.add(start)
      queues.set(caller, queue)
      waiting += 1
      signal.addEventListener('abort', leave, { once: true })
      if (!isPaused()) startNext()
    })
  }

  return {
    async run(request, job) {
      request.signal.throwIfAborted()
      await waitForSlot(request)
      try {
        return await job()
      } finally {
        running -= 1
        startNext()
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
  }
}

const PAUSE_MS = 10

/** More work waits than can be done in reasonable time. */
export class SlotsFullError extends BaseError {
  override readonly name = 'SlotsFullError'

  constructor() {
    super('Too many analyses are waiting')
  }
}

/** The job's turn did not come while it was of use, and it was never begun. */
export class SlotWaitEndedError extends BaseError {
  override readonly name = 'SlotWaitEndedError'

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
