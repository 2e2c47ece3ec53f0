import { TRUST_STATUSES, type TrustStatus } from '../checks/levels.js'
import type { Clock } from '../clock.js'
import type { FamilyCounts } from '../reports/family.js'
import { OUTCOMES, type Outcome, STAGE_DAYS, type Stage } from './outcome.js'
import type { OutcomeCount } from './outcome-store.js'

/** What verdicts of one word came to. */
export type OutcomeRow = { level: TrustStatus } & Record<Outcome, number>

/** How right this installation was, after so many days. */
export interface StageStats {
  days: Stage
  /** Of tokens that could be sold when the verdict was given. */
  levels: OutcomeRow[]
  warned: number
  /** Warned of, and harm came. */
  warnedRightly: number
  harmed: number
  /** Of those that were warned of, how many came to harm, 0 to 1; `undefined` without any. */
  precision: number | undefined
  /** Of those that came to harm, how many were warned of. */
  recall: number | undefined
  /** Could not be sold already when the verdict was given; of these, those still harmful. */
  traps: { followed: number; stillHarmful: number }
  /** Not seen in time: in none of the figures above. */
  unknown: number
}

export interface Stats {
  followed: number
  stages: StageStats[]
}

/** The record of this installation, as it was at most a minute ago. */
export interface StatsReader {
  read(): Promise<Stats & { families: FamilyCounts & { codes: number } }>
}

const RENEWED_MS = 60_000

/** Counts all rows once a minute, however often it is asked. */
export function createStatsReader(options: {
  outcomes: { count(): Promise<OutcomeCount[]> }
  families: { count(): Promise<FamilyCounts & { codes: number }> }
  clock: Clock
}): StatsReader {
  const { outcomes, families, clock } = options
  let known: { at: number; stats: ReturnType<StatsReader['read']> } | undefined
  const count = async () => ({ ...statsOf(await outcomes.count()), families: await families.count() })
  return {
    read() {
      if (known === undefined || clock.monotonic() - known.at > RENEWED_MS) {
        const stats = count()
        known = { at: clock.monotonic(), stats }
        // A failure is this caller's, and the next one asks anew.
        stats.catch(() => {
          known = undefined
        })
      }
      return known.stats
    },
  }
}

/** A verdict that warns: this word, or a worse one. */
export const WARNING: TrustStatus = 'High Risk'

/**
 * Precision and recall of verdicts. Traps that were shut when they were judged stand apart: what
 * sees them later is what saw them before, so that they would only praise it.
 */
export function statsOf(counts: readonly OutcomeCount[]): Stats {
  return {
    followed: counts.reduce((sum, { count }) => sum + count, 0),
    stages: STAGE_DAYS.map((days) => statsOfStage(days, counts)),
  }
}

function statsOfStage(days: Stage, counts: readonly OutcomeCount[]): StageStats {
  const sum = (holds: (each: OutcomeCount) => boolean) =>
    counts.filter(holds).reduce((total, { count }) => total + count, 0)
  const isKnown = ({ seen }: OutcomeCount) => seen[days] !== undefined && seen[days] !== 'unknown'
  const isHarmed = (each: OutcomeCount) => isKnown(each) && each.seen[days] !== 'fine'
  const isWarned = ({ level }: OutcomeCount) => TRUST_STATUSES.indexOf(level) >= TRUST_STATUSES.indexOf(WARNING)
  const isOpen = (each: OutcomeCount) => isKnown(each) && !each.wasTrap
  const warned = sum((each) => isOpen(each) && isWarned(each))
  const warnedRightly = sum((each) => isOpen(each) && isWarned(each) && isHarmed(each))
  const harmed = sum((each) => isOpen(each) && isHarmed(each))
  return {
    days,
    levels: TRUST_STATUSES.map((level) => {
      const count = (outcome: Outcome) =>
        sum((each) => isOpen(each) && each.level === level && each.seen[days] === outcome)
      return { level, ...(Object.fromEntries(OUTCOMES.map((each) => [each, count(each)])) as Record<Outcome, number>) }
    }),
    ...{ warned, warnedRightly, harmed },
    precision: warned === 0 ? undefined : warnedRightly / warned,
    recall: harmed === 0 ? undefined : warnedRightly / harmed,
    traps: {
      followed: sum((each) => each.wasTrap && isKnown(each)),
      stillHarmful: sum((each) => each.wasTrap && isHarmed(each)),
    },
    unknown: sum(({ seen }) => seen[days] === 'unknown'),
  }
}
