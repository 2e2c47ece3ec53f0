import type { Clock } from '../clock.js'

/**
 * Keeps us from asking a node that does not answer. Opens after {@link MAX_FAILURES} failures
 * within {@link WINDOW_MS}; then lets one request through now and again, and closes when that one
 * succeeds.
 */
export interface CircuitBreaker {
  /** Milliseconds until a request may go through; 0 is now. */
  waitMs(): number
  /** Told before a request goes out: while the breaker is open, one goes through per pause. */
  enter(): void
  succeed(): void
  fail(): void
  /** Leave the node alone for this long, whatever its record: it asked us to. */
  pause(ms: number): void
}

export function createCircuitBreaker(clock: Clock): CircuitBreaker {
  let failures: number[] = []
  let isOpen = false
  let openUntil = 0
  let pausedUntil = 0
  const open = () => {
    openUntil = clock.monotonic() + OPEN_MS
  }
  return {
    waitMs: () => Math.max(0, openUntil - clock.monotonic(), pausedUntil - clock.monotonic()),
    enter() {
      if (isOpen) open()
    },
    succeed() {
      failures = []
      isOpen = false
      openUntil = 0
    },
    fail() {
      const now = clock.monotonic()
      failures = [...failures.filter((at) => at > now - WINDOW_MS), now]
      if (failures.length < MAX_FAILURES && !isOpen) return
      isOpen = true
      failures = []
      open()
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + ms)
    },
  }
}

/** Five in half a minute is no accident any more (limits of the fault catalogue). */
const MAX_FAILURES = 5
const WINDOW_MS = 30_000
/** Short enough to come back soon after a restart, long enough to spare a node that is down. */
const OPEN_MS = 5_000
