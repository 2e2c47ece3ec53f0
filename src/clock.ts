/** Time comes in by argument, so that a test needs no sleep. */
export interface Clock {
  /** Wall-clock time, milliseconds since 1970. May jump. For timestamps that a person reads. */
  now(): number
  /** Milliseconds since an arbitrary start. Never jumps. For limits and deadlines. */
  monotonic(): number
}

export function createSystemClock(): Clock {
  return { now: () => Date.now(), monotonic: () => performance.now() }
}

export interface ManualClock extends Clock {
  advance(ms: number): void
  /** Moves the wall clock alone, as an operator or NTP would. */
  step(ms: number): void
}

/** A clock that stands still until it is told to move. */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let wall = startMs
  let monotonic = 0
  return {
    now: () => wall,
    monotonic: () => monotonic,
    advance(ms) {
      wall += ms
      monotonic += ms
    },
    step(ms) {
      wall += ms
    },
  }
}
