import type { Piscina } from 'piscina'
import { ownThreadId, readThreadTime } from '../clock.js'
import { MachineBusyError } from '../scheduling/machine-load.js'

/** Part of what a thread is handed: it says that its work has begun, and which thread it is. */
export interface StartSignal {
  started: SharedArrayBuffer
}

/** Told by the thread once it has loaded what it needs. */
export function tellStarted({ started }: StartSignal): void {
  ownId ??= Number(ownThreadId() ?? NAMELESS)
  Atomics.store(new Int32Array(started), 0, ownId)
}

/** It stays the same, and the system takes a quarter of a millisecond to tell it. */
let ownId: number | undefined

/** Of a thread whose time the system does not tell. */
const NAMELESS = -1

/** The work took longer than it may, and its thread was killed. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError'
}

export interface ThreadOptions {
  /**
   * Of processor time, from when the thread says that it has begun: waiting for a thread, one that
   * wakes up, and a machine that has other work are not the code's doing.
   */
  timeoutMs: number
  signal: AbortSignal | undefined
  /** What the system says of the time of a thread. */
  timeOf?: typeof readThreadTime
}

/** How often it is looked whether a thread has begun, or is late. */
const LOOK_MS = 100
/**
 * A thread that was on a processor for less than this part of its time was kept from its work. It
 * is waited for no longer: by then the analysis is late as well.
 */
const STARVED_PART = 1 / 3

/**
 * Has a thread do some work and kills it when it takes too long. Rejects then with {@link
 * ThreadTimeoutError} when the work took the time, with `MachineBusyError` when the thread did not
 * get it, and with an `AbortError` when `signal` fires.
 */
export async function runInThread<Request extends StartSignal, Answer>(
  pool: Piscina<Request, Answer>,
  request: Omit<Request, 'started'>,
  { timeoutMs, signal, timeOf = readThreadTime }: ThreadOptions,
): Promise<Answer> {
  const started = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const flag = new Int32Array(started)
  const late = new AbortController()
  let work: Work | undefined
  const look = setInterval(() => {
    const thread = Atomics.load(flag, 0)
    if (thread === 0) return
    work ??= followWork(String(thread), timeOf)
    const { passedMs, workedMs } = work()
    if (workedMs > timeoutMs) late.abort(new ThreadTimeoutError())
    else if (passedMs * STARVED_PART > timeoutMs) late.abort(new MachineBusyError())
  }, LOOK_MS)
  try {
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal
    return await pool.run({ ...request, started } as Request, { signal: either })
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error
  } finally {
    clearInterval(look)
  }
}

/** How much time has passed since the thread was followed, and how much of it was its own. */
type Work = () => { passedMs: number; workedMs: number }

function followWork(thread: string, timeOf: typeof readThreadTime): Work {
  const startedAt = performance.now()
  const before = timeOf(thread)?.workedMs
  return () => {
    const passedMs = performance.now() - startedAt
    const worked = before === undefined ? undefined : timeOf(thread)?.workedMs
    return { passedMs, workedMs: worked === undefined ? passedMs : worked - (before ?? 0) }
  }
}
