import { describeRisk } from '../../../src/reports/describe-risk.js'
import type { Overall, Reports, Simulation } from '../api/reports.js'
import { capitalise } from '../parts/capitalise.js'

/** How a verdict looks. `unknown`: there is none. */
export type Look = 'trap' | 'caution' | 'clear' | 'unknown'

/** What stands at the top of a report. */
export interface Verdict {
  look: Look
  /** Whether to buy, in the words of the service; without a verdict, that it is not known. */
  advice: string
  /** Level and score. */
  level: string
  /** Where nothing speaks against buying and the headline is a blemish: what stands before it. */
  calm?: string
  headline: string
  reason: string
  /** What the verdict lacks; absent when it is whole. */
  missing?: string
}

const LOOKS: Readonly<Record<NonNullable<Overall>['advice'], Look>> = {
  'No trap found': 'clear',
  'Be careful': 'caution',
  'Do not buy': 'trap',
  'Do not use': 'trap',
  'Not known': 'unknown',
}

/**
 * The verdict of the service, which every answer has; without any answer, that there is none.
 * Decides nothing.
 */
export function readVerdict({ simulation, honeypot, phishing, failures }: Reports): Verdict {
  const overall = simulation?.overall ?? honeypot?.overall ?? phishing?.overall
  if (overall) {
    const { level, advice, headline, reason, inconclusive } = overall
    const missing = inconclusive === null || reason.includes(inconclusive) ? {} : { missing: inconclusive }
    return {
      look: LOOKS[advice],
      advice,
      level: capitalise(describeRisk(overall)),
      ...(level === 'Low Risk' && advice === 'No trap found' && { calm: sayWhatWorked(simulation) }),
      headline,
      reason,
      ...missing,
    }
  }
  const [first] = Object.values(failures)
  return {
    look: 'unknown',
    advice: 'Not known',
    level: 'No verdict',
    headline: 'There is no answer.',
    reason: first
      ? `${first.errorReason}. That says nothing about the token, neither good nor bad.`
      : 'Nothing is known so far.',
  }
}

/** A calm verdict whose headline names a risk reads as an alarm without it. */
function sayWhatWorked(simulation: Simulation | undefined): string {
  const { success, isHoneypot, venue } = simulation?.checks.simulateResult ?? {}
  return success && !isHoneypot && venue ? 'It can be bought and sold.' : 'No harm was seen.'
}
