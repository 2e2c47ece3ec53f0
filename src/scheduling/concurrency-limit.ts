import { BaseError } from '../errors.js'
import { createFairQueue, type TurnTaker } from './fair-queue.js'
import type { RecentTime } from './recent-time.js'

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
  /**
   * While fewer short jobs than these run, the next begins at once, beside all others: behind long
   * ones it would wait for longer than it takes, and they hardly notice. As many as `concurrency`
   * without.
   */
  shortPlaces?: number
  /** Jobs that may wait for a slot. */
  maxWaiting: number
  /**
   * Where jobs differ much in how long they take: callers whose jobs took less lately come first,
   * and find the slots free that callers hold whose jobs took more, up to `maxConcurrency`.
   */
  recentTime?: RecentTime
}

interface SlotRequest {
  /**
   * Waiting callers take turns, so that one with many jobs does not hold up one with a single job.
   */
  caller: TurnTaker
  /**
   * What the job depends on besides this machine, such as a chain: when that is slow, jobs of other
   * lanes do not wait for it.
   */
  lane?: string | undefined
  /** The job is known to take little; see {@link ConcurrencyLimitOptions.shortPlaces}. */
  isShort?: boolean | undefined
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
   * Runs `job` when its turn comes. Rejects with `QueueFullError` when too many wait already, of
   * which the caller has its share, or when its place goes to a caller that has fewer; and with
   * `QueueWaitEndedError` when `signal` fires or `waitMs` are over before.
   */
  run<T>(request: SlotRequest, job: () => Promise<T>): Promise<T>
  /** Waits for a slot as {@link run} does. What it gives is called once, when the job is over. */
  take(request: SlotRequest): Promise<() => void>
  readonly running: number
  readonly waiting: number
}

/**
 * Bounds how much work goes on at the same time and how much may wait for it. A caller that has
 * nothing running and waits for {@link STARVATION_MS} while another has several is served beside
 * them: they may take long. So is a job of a lane that has fewer than `concurrency` running, as
 * long as `hasRoom`. With `recentTime`, a caller whose jobs took little need not wait so long
 * beside those whose jobs took much.
 */
export function createConcurrencyLimit({
  concurrency,
  maxConcurrency = concurrency,
  hasRoom = () => false,
  shortPlaces = concurrency,
  maxWaiting,
  recentTime,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  const queue = createFairQueue<Waiting>()
  /** The same jobs by lane. */
  const lanes = createFairQueue<Waiting>()
  const runningOf = createCounts<TurnTaker>()
  const runningIn = createCounts<string>()
  let running = 0
  let shortRunning = 0
  let runningBeside = 0
  /** Since the last look for room that was not owed to the end of a job. */
  let pause: NodeJS.Timeout | undefined

  const allowance = createAllowance({ concurrency, maxConcurrency, hasRoom })
  const hasSlot = () => allowance.permits(running)
  /** What has just begun does not show yet how much room it takes. */
  const isPaused = () => running >= concurrency && pause !== undefined

  const rankOf = recentTime && ((caller: TurnTaker) => recentTime.of(caller))
  /** Whether callers that took more hold so many slots that without them one would be free. */
  const isHeldByGreater = ({ caller }: Waiting) => {
    if (rankOf === undefined || running >= maxConcurrency) return false
    const own = rankOf(caller)
    return runningOf.sum((other) => rankOf(other) <= own) < concurrency
  }

  const hasShortPlace = ({ isShort }: Pick<SlotRequest, 'isShort'>) => isShort === true && shortRunning < shortPlaces
  const beginBeside = () => {
    shortRunning += 1
    runningBeside += 1
    return () => {
      shortRunning -= 1
      runningBeside -= 1
      startNext()
    }
  }
  const begin = (job: Waiting) => {
    running += 1
    if (job.isShort) shortRunning += 1
    runningOf.add(job.caller)
    runningIn.add(job.lane)
    return () => end(job)
  }

  const startNext = () => {
    const isFree = hasSlot()
    const isUnfair = running < maxConcurrency && running > runningOf.size
    const isServedBeside = ({ caller, lane }: Waiting) =>
      (isUnfair && runningOf.of(caller) === 0) ||
      (running < maxConcurrency && runningIn.of(lane) < concurrency && hasRoom())
    const isAccepted = (job: Waiting) =>
      isFree || hasShortPlace(job) || isHeldByGreater(job) || (job.isStarving && isServedBeside(job))
    const next = queue.take((_caller, job) => isAccepted(job), rankOf)
    if (next !== undefined) next.start(!isFree && hasShortPlace(next) ? beginBeside() : begin(next))
    const isWorthLooking = running >= concurrency && running < maxConcurrency
    if (isWorthLooking && (next !== undefined || queue.size > 0)) pause ??= setTimeout(endPause, PAUSE_MS)
  }

  const endPause = () => {
    pause = undefined
    startNext()
  }

  const end = ({ caller, lane, isShort }: Waiting) => {
    running -= 1
    if (isShort) shortRunning -= 1
    runningOf.drop(caller)
    runningIn.drop(lane)
    allowance.noteEnd({ running, waiting: queue.size })
    startNext()
  }

  /** What ends the job, once it has its place. */
  const waitForSlot = (request: SlotRequest): Promise<() => void> => {
    const { caller, lane = NO_LANE, isShort, signal, waitMs } = request
    if (running >= concurrency && hasShortPlace(request)) return Promise.resolve(beginBeside())
    if (queue.size >= maxWaiting && (isPaused() || !hasSlot())) {
      const surplus = queue.makeRoomFor(caller) ?? lanes.makeRoomFor(lane)
      if (surplus === undefined) return Promise.reject(new QueueFullError())
      surplus.refuse()
    }
    return new Promise((resolve, reject) => {
      const endWait = (error: BaseError) => {
        stopWatching()
        queue.remove(caller, waiting)
        reject(error)
      }
      const waiting: Waiting = {
        caller,
        lane,
        isShort,
        isStarving: false,
        start(endJob) {
          stopWatching()
          resolve(endJob)
        },
        refuse: () => endWait(new QueueFullError()),
      }
      const starve = () => {
        waiting.isStarving = true
        startNext()
      }
      const leave = () => endWait(new QueueWaitEndedError(signal?.reason))
      const timers = [
        maxConcurrency > concurrency ? setTimeout(starve, STARVATION_MS) : undefined,
        waitMs === undefined
          ? undefined
          : setTimeout(() => endWait(new QueueWaitEndedError(new TooLateError())), waitMs),
      ]
      const stopWatching = () => {
        for (const timer of timers) clearTimeout(timer)
        lanes.remove(lane, waiting)
        signal?.removeEventListener('abort', leave)
      }
      signal?.addEventListener('abort', leave, { once: true })
      queue.add(caller, waiting)
      lanes.add(lane, waiting)
      if (!isPaused()) startNext()
    })
  }

  const take = async (request: SlotRequest): Promise<() => void> => {
    request.signal?.throwIfAborted()
    const endJob = await waitForSlot(request)
    const endTime = recentTime?.begin(request.caller)
    return () => {
      endTime?.()
      endJob()
    }
  }

  return {
    take,
    async run(request, job) {
      const giveBack = await take(request)
      try {
        return await job()
      } finally {
        giveBack()
      }
    },
    get running() {
      return running + runningBeside
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
}: Required<Pick<ConcurrencyLimitOptions, 'concurrency' | 'maxConcurrency' | 'hasRoom'>>): {
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

/** What is running, by a name. */
function createCounts<Name>(): {
  of(name: Name): number
  add(name: Name): void
  drop(name: Name): void
  /** Of those names that count. */
  sum(isCounted: (name: Name) => boolean): number
  size: number
} {
  const counts = new Map<Name, number>()
  const of = (name: Name) => counts.get(name) ?? 0
  return {
    of,
    add: (name) => void counts.set(name, of(name) + 1),
    drop(name) {
      if (of(name) > 1) counts.set(name, of(name) - 1)
      else counts.delete(name)
    },
    sum: (isCounted) => [...counts].reduce((total, [name, count]) => (isCounted(name) ? total + count : total), 0),
    get size() {
      return counts.size
    },
  }
}

const NO_LANE = ''

/** Of `concurrency`: as many begin without further ado while there is room. */
const EASY_SHARE = 2

/** Who waits for a slot. */
interface Waiting {
  readonly caller: TurnTaker
  readonly lane: string
  readonly isShort: boolean | undefined
  isStarving: boolean
  /** Told what to call when the job is over. */
  start(endJob: () => void): void
  /** Its place goes to another. */
  refuse(): void
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
