import { readFileSync } from 'node:fs'

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

/**
 * A clock whose `monotonic` counts the processor time of the calling thread: how long work took
 * does not depend on what else the machine does. May be ahead by some milliseconds. Where the
 * system does not tell (anywhere but on Linux), time passes as usual. One for each thread.
 */
export function createWorkClock(): Clock {
  let wall = performance.now()
  let worked = readThreadMs()
  if (worked === undefined) return createSystemClock()
  return {
    now: () => Date.now(),
    monotonic() {
      const now = performance.now()
      if (now - wall >= RESYNC_MS) {
        // Between two readings, time is taken to be work: then it is known how much of it was.
        worked = readThreadMs() ?? (worked ?? 0) + now - wall
        wall = now
      }
      return (worked ?? 0) + now - wall
    },
  }
}

/** A reading takes a tenth of a millisecond or two. */
const RESYNC_MS = 20
const NANOSECONDS = 1_000_000

/**
 * Milliseconds that this thread was on a processor: the first number of `schedstat` (Linux,
 * Documentation/scheduler/sched-stats).
 */
function readThreadMs(): number | undefined {
  try {
    const worked = Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0])
    return worked > 0 ? worked / NANOSECONDS : undefined
  } catch {
    return undefined
  }
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
