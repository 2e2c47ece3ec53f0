/** Reading one code takes some milliseconds; what takes this long resists. Leaves room below a second for the detectors. */
const READING_MS = 600

/** Says whether the time for one code is over. */
export function createDeadline(now: () => number = () => performance.now()): () => boolean {
  const end = now() + READING_MS
  return () => now() > end
}
