import { BaseError } from '../errors.js'

export interface SlotsOptions {
  /** Jobs that run at the same time. */
  concurrency: number
  /** Jobs that may wait for a slot. */
  maxWaiting: number
}

interface SlotRequest {
  /** Waiting callers take turns, so that one with many jobs does not hold up one with a single job. */
  caller: string
  /** Ends the wait of a job that nobody needs any more. */
  signal: AbortSignal
}

export interface Slots {
  /** Runs `job` when its turn comes. Rejects at once with `SlotsFullError` when too many wait already, and with `SlotWaitEndedError` when `signal` fires first. */
  run<T>(request: SlotRequest, job: () => Promise<T>): Promise<T>
  readonly running: number
  readonly waiting: number
}

/** Bounds how much work goes on at the same time and how much may wait for it. */
export function createSlots({ concurrency, maxWaiting }: SlotsOptions): Slots {
  /** Queues by caller. The first caller in the map is the next to be served. */
  const queues = new Map<string, Set<() => void>>()
  let running = 0
  let waiting = 0

  const startNext = () => {
    const [next] = queues
    if (next === undefined || running >= concurrency) return
    const [caller, queue] = next
    const [start] = queue
    queues.delete(caller)
    if (start === undefined) return
    queue.delete(start)
    if (queue.size > 0) queues.set(caller, queue)
    waiting -= 1
    running += 1
    start()
  }

  const waitForSlot = ({ caller, signal }: SlotRequest): Promise<void> => {
    if (waiting >= maxWaiting && running >= concurrency) return Promise.reject(new SlotsFullError())
    return new Promise((resolve, reject) => {
      const queue = queues.get(caller) ?? new Set()
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        if (!queue.delete(start)) return
        if (queue.size === 0) queues.delete(caller)
        waiting -= 1
        reject(new SlotWaitEndedError(signal.reason))
      }
      queue.add(start)
      queues.set(caller, queue)
      waiting += 1
      signal.addEventListener('abort', leave, { once: true })
      startNext()
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

/** More work waits than can be done in reasonable time. */
export class SlotsFullError extends BaseError {
  override readonly name = 'SlotsFullError'

  constructor() {
    super('Too many analyses are waiting')
  }
}

/** Nobody needs the job any more, and it was never begun. */
export class SlotWaitEndedError extends BaseError {
  override readonly name = 'SlotWaitEndedError'

  constructor(cause: unknown) {
    super('No slot became free in time', { cause })
  }
}
