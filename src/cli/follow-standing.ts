import type { Following } from '../watching/following.js'

/** Until the newest block has to have been seen once. */
const FIRST_MS = 30_000

/** Says once that no node tells the newest blocks, and once that one does: silence is no peace. */
export function createStanding(
  tell: (text: string) => unknown,
  now: () => number = Date.now,
): (followed: Following | undefined) => void {
  const beganAt = now()
  let isCurrent = true
  return (followed) => {
    const isNow = followed === undefined ? now() - beganAt < FIRST_MS : followed.isCurrent
    if (isNow === isCurrent) return
    isCurrent = isNow
    const since = followed === undefined ? '' : ` since ${new Date(followed.reachedAt).toISOString()}`
    tell(isNow ? 'The newest blocks are seen again.\n' : `No node tells the newest blocks${since}: nothing is seen.\n`)
  }
}
