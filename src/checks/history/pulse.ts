import type { ActivityPulse } from './history-report.js'

/** How many transfers were seen in how much time, counted back from the judged block. */
export interface TransferCount {
  transfers: number
  coveredSeconds: number
  /** The node gave all there is in that time. */
  isComplete: boolean
}

export const DAY_SECONDS = 86_400
export const WEEK_SECONDS = 7 * DAY_SECONDS

/** Transfers per 24 hours from which a token counts as that lively. */
const VERY_ACTIVE_PER_DAY = 100
const ACTIVE_PER_DAY = 10

/** Transfers per 24 hours, as far as the covered time lets it be told. */
export function transfersPerDay({ transfers, coveredSeconds }: Omit<TransferCount, 'isComplete'>): number {
  return coveredSeconds <= 0 ? 0 : (transfers * DAY_SECONDS) / Math.max(coveredSeconds, MIN_COVERED_SECONDS)
}

/** One transfer in one block does not make a thousand a day. */
const MIN_COVERED_SECONDS = 60

/**
 * The pulse, or `undefined` when too little was seen to tell: nothing found in a time that does not
 * reach back a week is not death. `day` covers at most 24 hours and `week` at most 7 days, both
 * ending at the judged block.
 */
export function pulseOf(day: TransferCount, week: TransferCount): ActivityPulse | undefined {
  const perDay = transfersPerDay(day)
  if (perDay >= VERY_ACTIVE_PER_DAY) return 'Very Active'
  if (perDay >= ACTIVE_PER_DAY) return 'Active'
  if (week.transfers > 0) return 'Low Activity'
  return week.isComplete && week.coveredSeconds >= WEEK_SECONDS ? 'Dead / No Activity' : undefined
}

/** The pulse in a sentence. */
export function describePulse(pulse: ActivityPulse | undefined, day: TransferCount, week: TransferCount): string {
  const about = day.isComplete ? '' : 'about '
  switch (pulse) {
    case 'Very Active':
    case 'Active':
      return `The token moves: ${about}${Math.round(transfersPerDay(day)).toLocaleString('en-US')} transfers in 24 hours.`
    case 'Low Activity':
      return `The token hardly moves: ${plural(week.transfers)} in ${describeTime(week.coveredSeconds)}.`
    case 'Dead / No Activity':
      return 'The token has not moved for at least 7 days.'
    default:
      return `Not known: no transfer was found in ${describeTime(week.coveredSeconds)}, and the node gave no more.`
  }
}

const plural = (count: number) => (count === 1 ? 'one transfer' : `${count} transfers`)

function describeTime(seconds: number): string {
  if (seconds >= 2 * DAY_SECONDS) return `${Math.round(seconds / DAY_SECONDS)} days`
  if (seconds >= 7_200) return `${Math.round(seconds / 3_600)} hours`
  return `${Math.max(1, Math.round(seconds / 60))} minutes`
}
