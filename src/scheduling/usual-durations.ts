import { createCountedLru } from './lru.js'

/** How long work of each kind took here lately. */
export interface UsualDurations {
  note(kind: string, ms: number): void
  of(kind: string): UsualDuration
}

/** In milliseconds; null where too little was measured to say. */
export interface UsualDuration {
  /** Half of the last ones took no longer. */
  usualMs: number | null
  /** Nine in ten of the last ones took no longer. */
  slowMs: number | null
  /** How many these numbers are of. */
  measured: number
}

export function createUsualDurations(): UsualDurations {
  const known = createCountedLru<string, number[]>(MAX_KINDS)
  return {
    note(kind, ms) {
      const durations = known.getOrMake(kind, () => [])
      durations.push(ms)
      durations.splice(0, durations.length - KEPT)
    },
    of(kind) {
      const durations = (known.get(kind) ?? []).toSorted((a, b) => a - b)
      const measured = durations.length
      const rank = (share: number) =>
        measured < LEAST ? null : Math.round(durations[Math.ceil(share * measured) - 1] ?? 0)
      return { usualMs: rank(0.5), slowMs: rank(0.9), measured }
    },
  }
}

/** An hour or a day of a small installation: what a node is like now, not what it was once. */
const KEPT = 100
/** Fewer are chance. */
const LEAST = 5
/** Chains, with two kinds of questions each; an operator adds chains by hand. */
const MAX_KINDS = 200
