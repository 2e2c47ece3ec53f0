/** Writes that no answer waits for. */
export interface BackgroundWrites {
  /** Does it when those before are done. Left out where too many wait: a store may be down. */
  add(write: () => Promise<unknown>): void
  /** Waits for all that was added. */
  close(): Promise<void>
}

/** More than a store that is up ever has waiting. */
const MAX_WAITING = 100

/** One at a time, in their order; what fails is told and keeps none of the next from being done. */
export function createBackgroundWrites(
  onFailure: (error: unknown) => void,
  maxWaiting = MAX_WAITING,
): BackgroundWrites {
  let last = Promise.resolve()
  let waiting = 0
  return {
    add(write) {
      if (waiting >= maxWaiting) return
      waiting += 1
      last = last
        .then(write)
        .catch(onFailure)
        .then(() => {
          waiting -= 1
        })
    },
    close: () => last,
  }
}
