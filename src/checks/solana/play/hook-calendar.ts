import { type EpochSchedule, later, type SolanaClock } from '../../../solana/cluster-clock.js'
import type { Decision } from '../../../solana/sbf/follow-program.js'
import { clockBytes } from '../../../solana/sbf/program-input.js'
import type { Source } from '../../../solana/sbf/sbf-term.js'
import { GRID_SECONDS, leavesOfDecision, outcomeOf } from './decision-flips.js'

/** Decisions on the time that are followed through it: a rule by day and hour has some thirty. */
const MAX_DECISIONS = 48

/** Moments at which a hook's decisions on the time have not been seen to fall as they do then. */
export interface HookCalendar {
  /**
   * Takes what a way through a sale met, at so many seconds from now on. Gives how many of its
   * decisions are new, and hang on the time.
   */
  add(decisions: readonly Decision[], afterSeconds: number): number
  /** The next moment to try, in seconds from now on; `undefined` where there is none. */
  next(): number | undefined
  /** Whether there were more decisions than are followed. */
  isFull(): boolean
}

/**
 * A comparison with the day says of each other day that it is another one, and leads to the next
 * comparison. Each set of answers that was not met is therefore a moment to try, and what is met
 * there may tell more sets apart: until all that is known gives nothing new within ten years.
 */
export function createHookCalendar({ clock, epochs }: { clock: SolanaClock; epochs: EpochSchedule }): HookCalendar {
  const timely = new Map<string, (seconds: number) => boolean>()
  const tried = new Set<number>()
  let isFull = false
  const times = new Map<number, Uint8Array>()
  const timeAt = (seconds: number) => {
    const known = times.get(seconds) ?? clockBytes(later(clock, seconds, epochs))
    times.set(seconds, known)
    return known
  }
  const answersAt = (seconds: number) => [...timely.values()].map((answer) => (answer(seconds) ? 1 : 0)).join('')
  return {
    add(decisions, afterSeconds) {
      tried.add(afterSeconds)
      const before = timely.size
      const met = new Map<number, number>()
      for (const decision of decisions) {
        // A loop over a list of days compares at one place again and again.
        const turn = (met.get(decision.at) ?? 0) + 1
        met.set(decision.at, turn)
        const name = `${decision.at}:${turn}`
        if (timely.has(name)) continue
        const source = clockOf(decision)
        if (source === undefined || outcomeOf(decision, new Map()) === undefined) continue
        if (timely.size < MAX_DECISIONS) timely.set(name, answersOf(decision, source, timeAt))
        else isFull = true
      }
      return timely.size - before
    },
    next() {
      if (timely.size === 0) return undefined
      const known = new Set([...tried].map(answersAt))
      const next = GRID_SECONDS.map(Number).find((seconds) => !known.has(answersAt(seconds)))
      if (next !== undefined) tried.add(next)
      return next
    },
    isFull: () => isFull,
  }
}

const clockOf = (decision: Decision): Source | undefined =>
  [...leavesOfDecision(decision).keys()].find(({ kind }) => kind === 'clock')

/** Whether a jump is taken at a time, each computed once. */
function answersOf(decision: Decision, source: Source, timeAt: (seconds: number) => Uint8Array) {
  const known = new Map<number, boolean>()
  return (seconds: number) => {
    const answer = known.get(seconds) ?? outcomeOf(decision, new Map([[source, timeAt(seconds)]])) === true
    known.set(seconds, answer)
    return answer
  }
}
