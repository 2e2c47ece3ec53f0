import { openSync, readFileSync, readlinkSync, readSync } from 'node:fs'

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

/** A reading takes some thousandths of a millisecond. */
const RESYNC_MS = 20
const NANOSECONDS = 1_000_000

/** The calling thread's own; a thread that ends closes what it has opened. */
let ownTime: number | undefined
const buffer = Buffer.alloc(128)

/** Opened once, and read anew: to open it takes several times as long. */
function readThreadMs(): number | undefined {
  try {
    ownTime ??= openSync('/proc/thread-self/schedstat', 'r')
    return parseTime(buffer.toString('latin1', 0, readSync(ownTime, buffer, 0, buffer.length, 0)))?.workedMs
  } catch {
    return undefined
  }
}

/** What became of the time in which a thread wanted a processor. */
export interface ThreadTime {
  workedMs: number
  /** For a processor. */
  waitedMs: number
}

/** Of a thread of this process, by its {@link ownThreadId}; `undefined` where it is not known. */
export const readThreadTime = (id: string): ThreadTime | undefined => readTime(`/proc/self/task/${id}`)

function readTime(folder: string): ThreadTime | undefined {
  try {
    return parseTime(readFileSync(`${folder}/schedstat`, 'latin1'))
  } catch {
    return undefined
  }
}

/** The first two numbers of `schedstat` (Linux, Documentation/scheduler/sched-stats). */
function parseTime(text: string): ThreadTime | undefined {
  const [worked = 0, waited = 0] = text.split(' ').map(Number)
  return worked > 0 ? { workedMs: worked / NANOSECONDS, waitedMs: waited / NANOSECONDS } : undefined
}

/** How the system calls the calling thread; `undefined` anywhere but on Linux. */
export function ownThreadId(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1)
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
