import { createWorkClock } from '../../clock.js'
import { BaseError } from '../../errors.js'

/**
 * Reading one code takes some milliseconds; what takes this long resists. Leaves room below a
 * second for the detectors.
 */
const READING_MS = 500
/**
 * For all detectors over one code; together with the reading this stays below the hard stop of a
 * second.
 */
const DETECTING_MS = 450

/** Time of this thread, so that a verdict does not depend on who else wants the processor. */
const work = createWorkClock()

/** Says whether the time for reading one code is over. */
export const createDeadline = (now: () => number = work.monotonic): (() => boolean) => createEnd(READING_MS, now)

/** Says whether the time for all detectors over this many codes is over. */
export const createDetectionDeadline = (codes: number, now: () => number = work.monotonic): (() => boolean) =>
  createEnd(DETECTING_MS * codes, now)

function createEnd(milliseconds: number, now: () => number): () => boolean {
  const end = now() + milliseconds
  return () => now() > end
}

const ends = new WeakMap<object, () => boolean>()

/** From now on work over the subject ends when `isOverdue` says so. */
export const limitTime = (subject: object, isOverdue: () => boolean): void => void ends.set(subject, isOverdue)

/**
 * Asked before each piece of work that grows with the code. Throws {@link DetectionOverdueError}.
 */
export function assertInTime(subject: object): void {
  if (ends.get(subject)?.() === true) throw new DetectionOverdueError()
}

/** The detectors had no time left: what they would have found is unknown. */
export class DetectionOverdueError extends BaseError {
  override readonly name = 'DetectionOverdueError'
  constructor() {
    super('Bytecode analysis resisted: the detectors could not finish within their time')
  }
}
