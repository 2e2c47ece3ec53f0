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

/** Each verdict of the service in a sentence. */
export const WORDS: Readonly<Record<Verdict, string>> = {
  SAFE: 'Nothing bad was seen.',
  LOW_RISK: 'There is something to look at.',
  HIGH_RISK: 'Do not confirm this.',
  CRITICAL: 'Do not confirm this.',
  EMPTY_CONTRACT: 'There is no contract at this address.',
  INCONCLUSIVE: 'This could not be found out. Do not read it as safe.',
}
