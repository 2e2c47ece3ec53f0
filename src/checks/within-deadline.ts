import { type Blame, isMachineBusy } from '../scheduling/machine-load.js'
import { withDeadline } from '../scheduling/with-deadline.js'

/** Either what came of some work, or why nothing did, and whether that was the machine's doing. */
export type Deadlined<T> = { done: T; late?: undefined } | { done?: undefined; late: string; isBusy: boolean }

export interface DeadlineOptions {
  ms: number
  /** What the work is about, for the words: `the holders`. */
  subject: string
  /** Fires when the whole analysis must end: this part is then late, and the rest of it is kept. */
  signal: AbortSignal | undefined
  /** Finds out whose doing it is that the time was over; without it, never the machine's. */
  blame?: Blame | undefined
  /** Told when the work failed by itself. */
  onFailure(error: unknown): void
}

/**
 * Work that the rest of an answer waits for, but not longer than `ms` and not for its success: a
 * part that decorates a report must neither delay nor fail it. The work gets a signal that fires
 * when its time is over.
 */
export async function withinDeadline<T>(
  { ms, subject, signal, blame = (error) => error, onFailure }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Deadlined<T>> {
  const deadline = AbortSignal.timeout(ms)
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
  try {
    return { done: await withDeadline({ signal: stop }, work) }
  } catch (error) {
    if (stop.aborted) return { late: `the time for ${subject} was over`, isBusy: isMachineBusy(blame(error, stop)) }
    onFailure(error)
    return { late: `${subject} could not be looked at`, isBusy: isMachineBusy(error) }
  }
}
