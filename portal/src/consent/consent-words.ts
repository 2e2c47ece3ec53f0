import type { Phishing } from '../api/reports.js'
import type { Look } from '../report/shown-verdict.js'

type Verdict = Phishing['verdict']

/** How each verdict of the service looks. */
export const LOOKS: Readonly<Record<Verdict, Look>> = {
  SAFE: 'clear',
  LOW_RISK: 'caution',
  HIGH_RISK: 'trap',
  CRITICAL: 'trap',
  EMPTY_CONTRACT: 'unknown',
  INCONCLUSIVE: 'unknown',
}

/** Each verdict of the service in a few large words. */
export const WORDS: Readonly<Record<Verdict, string>> = {
  SAFE: 'Nothing bad was seen.',
  LOW_RISK: 'Look at this first.',
  HIGH_RISK: 'Do not confirm this.',
  CRITICAL: 'Do not confirm this.',
  EMPTY_CONTRACT: 'Not known.',
  INCONCLUSIVE: 'Not known.',
}

/** Why, where the service gives no reason of its own. */
const REASONS: Partial<Readonly<Record<Verdict, string>>> = {
  EMPTY_CONTRACT: 'There is no contract at this address.',
  INCONCLUSIVE: 'This could not be found out. Do not read it as safe.',
}

/** What is thought of an address that would be allowed to take. */
export const SPENDERS: Readonly<Record<Verdict, string>> = {
  SAFE: 'nothing bad was seen of it',
  LOW_RISK: 'there is something to look at in it',
  HIGH_RISK: 'it is dangerous',
  CRITICAL: 'it is dangerous',
  EMPTY_CONTRACT: 'it is an account and no contract',
  INCONCLUSIVE: 'what it does is not known',
}

const WORST_FIRST = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']

/** The reason that belongs beside the verdict: the worst of what was seen, in a sentence. */
export function reasonOf({ verdict, reason, checks, wallet }: Phishing): string | undefined {
  if (reason !== null) return `${reason}.`
  const seen = [
    ...checks.filter(({ triggered }) => triggered).map(({ severity, detail }) => ({ severity, text: detail })),
    ...(wallet?.warnings ?? []),
  ]
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => WORST_FIRST.indexOf(a.severity) - WORST_FIRST.indexOf(b.severity))
  return seen[0]?.text ?? REASONS[verdict]
}
