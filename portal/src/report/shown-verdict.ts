import type { Overall, Reports } from '../api/reports.js'

/** How a verdict looks. `unknown`: there is none. */
export type Look = 'trap' | 'danger' | 'caution' | 'clear' | 'unknown'

/** What stands at the top of a report. */
export interface Verdict {
  look: Look
  /** The level in the words of the service. */
  stamp: string
  headline: string
  reason: string
  /** What the verdict lacks; absent when it is whole. */
  missing?: string
}

const LOOKS: Readonly<Record<NonNullable<Overall>['level'], Look>> = {
  Safe: 'clear',
  'Low Risk': 'clear',
  'Medium Risk': 'caution',
  'High Risk': 'danger',
  'Critical Risk': 'trap',
}

/**
 * The verdict of the service, which every answer has; without any answer, that there is none.
 * Decides nothing.
 */
export function readVerdict({ simulation, honeypot, phishing, failures }: Reports): Verdict {
  const overall = simulation?.overall ?? honeypot?.overall ?? phishing?.overall
  if (overall) {
    const { level, score, headline, reason, inconclusive } = overall
    const missing = inconclusive === null || reason.includes(inconclusive) ? {} : { missing: inconclusive }
    return { look: LOOKS[level], stamp: `${level} · ${Math.round(score)} of 100`, headline, reason, ...missing }
  }
  const [first] = Object.values(failures)
  return {
    look: 'unknown',
    stamp: 'No verdict',
    headline: 'There is no answer.',
    reason: first ? `${first.errorReason}. What is not known is not taken for good.` : 'Nothing is known so far.',
  }
}
