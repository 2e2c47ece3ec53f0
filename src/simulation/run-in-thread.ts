import type { Piscina } from 'piscina'

/** Part of what a thread is handed: it says that its work has begun. */
export interface StartSignal {
  started: SharedArrayBuffer
}

/** Told by the thread once it has loaded what it needs. */
export function tellStarted({ started }: StartSignal): void {
  Atomics.store(new Int32Array(started), 0, 1)
}

/** The work took longer than it may, and its thread was killed. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError'
}

export interface ThreadOptions {
  /**
   * Counted from when the thread says that it has begun: waiting for a thread, and a thread that
   * wakes up, are not the code's doing.
   */
  timeoutMs: number
  signal: AbortSignal | undefined
}

/** How often it is looked whether a thread has begun, or is late. */
const LOOK_MS = 100

/**
 * Has a thread do some work and kills it when it takes too long. Rejects with {@link
 * ThreadTimeoutError} then, and with an `AbortError` when `signal` fires.
 */
export async function runInThread<Request extends StartSignal, Answer>(
  pool: Piscina<Request, Answer>,
  request: Omit<Request, 'started'>,
  { timeoutMs, signal }: ThreadOptions,
): Promise<Answer> {
  const started = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const flag = new Int32Array(started)
  const late = new AbortController()
  let startedAt: number | undefined
  const look = setInterval(() => {
    if (Atomics.load(flag, 0) === 0) return
    startedAt ??= performance.now()
    if (performance.now() - startedAt > timeoutMs) late.abort()
  }, LOOK_MS)
  try {
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal
    return await pool.run({ ...request, started } as Request, { signal: either })
  } catch (error) {
    throw late.signal.aborted ? new ThreadTimeoutError() : error
  } finally {
    clearInterval(look)
  }
}
