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

/**
 * Runs work for as long as its result is of use. Its signal fires when the time is over or `signal`
 * does; {@link Deadline.graceMs} later the promise rejects with the signal's reason, whether the
 * work has stopped or not: {@link DeadlineError} when the time was over.
 */
export async function withDeadline<T>(
  { ms, graceMs = 0, signal, blame = (error) => error }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
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
  try {
    return await Promise.race([work(stop.signal), givenUp])
  } finally {
    clearTimeout(timer)
    clearTimeout(grace)
    signal?.removeEventListener('abort', leave)
  }
}

/** The time that a result is worth waiting for is over. */
export class DeadlineError extends BaseError {
  override readonly name = 'DeadlineError'

  constructor() {
    super('The time for this work is over')
  }
}
