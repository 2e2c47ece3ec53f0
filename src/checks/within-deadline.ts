/** Either what came of some work, or why nothing did. */
export type Deadlined<T> = { done: T; late?: undefined } | { done?: undefined; late: string }

export interface DeadlineOptions {
  ms: number
  /** What the work is about, for the words: `the holders`. */
  subject: string
  /** Fires when the whole analysis must end: this part is then late, and the rest of it is kept. */
  signal: AbortSignal | undefined
  /** Told when the work failed by itself. */
  onFailure(error: unknown): void
}

/**
 * Work that the rest of an answer waits for, but not longer than `ms` and not for its success: a
 * part that decorates a report must neither delay nor fail it. The work gets a signal that fires
 * when its time is over.
 */
export async function withinDeadline<T>(
  { ms, subject, signal, onFailure }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Deadlined<T>> {
  const deadline = AbortSignal.timeout(ms)
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline
  try {
    return { done: await orAborted(either, work(either)) }
  } catch (error) {
    if (either.aborted) return { late: `the time for ${subject} was over` }
    onFailure(error)
    return { late: `${subject} could not be looked at` }
  }
}

/** Work that does not listen is not waited for either. */
function orAborted<T>(either: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(either.reason)
    if (either.aborted) stop()
    either.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => either.removeEventListener('abort', stop))
  })
}
