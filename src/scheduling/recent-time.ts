import type { TurnTaker } from './fair-queue.js'
import { createCountedLru } from './lru.js'

/** How much time of the processors the jobs of each caller took lately. */
export interface RecentTime {
  /** A job of the caller begins; the function that it gives is called once, when the job ends. */
  begin(caller: TurnTaker): () => void
  /** In whole seconds, running jobs included: callers that differ by less are alike. */
  of(caller: TurnTaker): number
}

export interface RecentTimeOptions {
  /**
   * Jobs that run as fast as one alone: where more run, each of them takes its share. Without that,
   * jobs that wait for each other would all count as long ones.
   */
  concurrency: number
  /** Milliseconds since an arbitrary start. */
  now?(): number
}

export function createRecentTime({ concurrency, now = () => performance.now() }: RecentTimeOptions): RecentTime {
  const known = createCountedLru<TurnTaker, Usage>(MAX_CALLERS)
  /** What one job has had of the processors if it ran since the start. */
  const share = { ms: 0, at: now(), running: 0 }
  const shareMs = () => {
    const passedMs = now() - share.at
    share.ms += passedMs * Math.min(1, concurrency / share.running)
    share.at += passedMs
    return share.ms
  }
  const settle = (usage: Usage) => {
    const [passedMs, gainedMs] = [now() - usage.at, shareMs() - usage.shareMs]
    if (passedMs <= 0) return usage
    const left = 0.5 ** (passedMs / HALF_LIFE_MS)
    // What runs adds all the while, and what it adds is forgiven just so.
    const added = (usage.running * (1 - left) * HALF_LIFE_MS) / Math.LN2
    usage.ms = usage.ms * left + added * (gainedMs / passedMs)
    usage.at += passedMs
    usage.shareMs += gainedMs
    return usage
  }
  return {
    begin(caller) {
      const usage = known.getOrMake(caller, () => ({ ms: 0, at: now(), shareMs: shareMs(), running: 0 }))
      settle(usage).running += 1
      shareMs()
      share.running += 1
      return () => {
        settle(usage).running -= 1
        share.running -= 1
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
  /** What one job had had until then. */
  shareMs: number
  running: number
}

/** As long as a caller waits for a turn: what it took before is forgiven by then. */
const HALF_LIFE_MS = 5_000
/** More than have jobs at the same time; one that was forgotten begins at nothing. */
const MAX_CALLERS = 1_000
