import type { TurnTaker } from './fair-queue.js'
import { createCountedLru } from './lru.js'

/** How much time the jobs of each caller took lately. */
export interface RecentTime {
  /** A job of the caller begins; the function that it gives is called once, when the job ends. */
  begin(caller: TurnTaker): () => void
  /** In whole seconds, running jobs included: callers that differ by less are alike. */
  of(caller: TurnTaker): number
}

/** `now` in milliseconds since an arbitrary start. */
export function createRecentTime(now: () => number = () => performance.now()): RecentTime {
  const known = createCountedLru<TurnTaker, Usage>(MAX_CALLERS)
  const settle = (usage: Usage) => {
    const passedMs = now() - usage.at
    const left = 0.5 ** (passedMs / HALF_LIFE_MS)
    // What runs adds all the while, and what it adds is forgiven just so.
    usage.ms = usage.ms * left + (usage.running * (1 - left) * HALF_LIFE_MS) / Math.LN2
    usage.at += passedMs
    return usage
  }
  return {
    begin(caller) {
      const usage = known.getOrMake(caller, () => ({ ms: 0, at: now(), running: 0 }))
      settle(usage).running += 1
      return () => {
        settle(usage).running -= 1
      }
    },
    of(caller) {
      const usage = known.get(caller)
      return usage === undefined ? 0 : Math.floor(settle(usage).ms / 1_000)
    },
  }
}

interface Usage {
  ms: number
  /** When `ms` was true. */
  at: number
  running: number
}

/** As long as a caller waits for a turn: what it took before is forgiven by then. */
const HALF_LIFE_MS = 5_000
/** More than have jobs at the same time; one that was forgotten begins at nothing. */
const MAX_CALLERS = 1_000
