import type { FollowedPlace } from './watch-store.js'

/** How far a chain was followed, and whether what happens on it now is seen. */
export interface Following extends FollowedPlace {
  /** The newest block was reached lately: what changes is told. */
  isCurrent: boolean
}

/** A chain whose newest block was not reached for so long is said not to be seen. */
const CURRENT_MS = 30_000

export const followingOf = (place: FollowedPlace, now: number): Following => ({
  ...place,
  isCurrent: now - place.reachedAt <= CURRENT_MS,
})
