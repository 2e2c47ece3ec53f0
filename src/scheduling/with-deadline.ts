import { setMaxListeners } from 'node:events'
import { BaseError } from '../errors.js'
import type { Blame } from './machine-load.js'

export interface Deadline {
  /** After so long the work is told to stop; without it only `signal` tells. */
  ms?: number
  /** How long it is waited for after it was told, so that it can still say what it found. */
  graceMs?: number
  /** Fires when its result is needed no more. */
  signal?: AbortSignal | undefined
  /** Finds out whose doing it is that the time is over. */
  blame?: Blame
}

/** A deadline that runs: what works until then listens to `signal`, and the owner closes it. */
export interface OpenDeadline {
  /** Fires when the time is over, or when the result is needed no more. */
  readonly signal: AbortSignal
  /**
   * What comes of the work; {@link Deadline.graceMs} after the signal it rejects with the signal's
   * reason, whether the work has stopped or not: {@link DeadlineError} when the time was over.
   */
  orLate<T>(work: Promise<T>): Promise<T>
  close(): void
}

/** Runs work for as long as its result is of use; see {@link OpenDeadline}. */
export async function withDeadline<T>(deadline: Deadline, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const open = openDeadline(deadline)
  try {
    return await open.orLate(work(open.signal))
  } finally {
    open.close()
  }
}

/** Begins a deadline. Throws the reason of `signal` where that has fired already. */
export function openDeadline({ ms, graceMs = 0, signal, blame = (error) => error }: Deadline): OpenDeadline {
  signal?.throwIfAborted()
  const stop = new AbortController()
  // All that the work waits for listens here, dozens at once; more than ten would be called a leak.
  setMaxListeners(0, stop.signal)
  const leave = () => stop.abort(signal?.reason)
  signal?.addEventListener('abort', leave, { once: true })
  const timer = ms === undefined ? undefined : setTimeout(() => stop.abort(new DeadlineError()), ms)
  let grace: NodeJS.Timeout | undefined
  const givenUp = new Promise<never>((_, reject) => {
    const end = () => reject(blame(stop.signal.reason, stop.signal))
    stop.signal.addEventListener('abort', () => {
      if (graceMs === 0) end()
      else grace = setTimeout(end, graceMs)
    })
  })
  // It may reject before any code waits for it.
  givenUp.catch(() => {})
  return {
    signal: stop.signal,
    orLate: (work) => Promise.race([work, givenUp]),
    close() {
      clearTimeout(timer)
      clearTimeout(grace)
      signal?.removeEventListener('abort', leave)
    },
  }
}

/** The time that a result is worth waiting for is over. */
export class DeadlineError extends BaseError {
  override readonly name = 'DeadlineError'

  constructor() {
    super('The time for this work is over')
  }
}
