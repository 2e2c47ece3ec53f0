import type { Severity } from './detector.js'
import type { Confidence, RiskFlag, ThreatLevel, TrustStatus } from './report.js'
import { TRUST_STATUSES } from './report.js'

/** The one table from what was found to what is said. */
export const VERDICTS: Record<Severity, { trustStatus: TrustStatus; threatLevel: ThreatLevel }> = {
  critical: { trustStatus: 'Critical Risk', threatLevel: 'HIGH' },
  high: { trustStatus: 'High Risk', threatLevel: 'HIGH' },
  medium: { trustStatus: 'Medium Risk', threatLevel: 'MEDIUM' },
  low: { trustStatus: 'Low Risk', threatLevel: 'LOW' },
}

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Severity[]

export interface JudgedFlag extends RiskFlag {
  severity: Severity
}

export interface VerdictInput {
  flags: readonly JudgedFlag[]
  /** False: something was left unseen, and the verdict is at least `Medium Risk`. */
  complete: boolean
  /** A contract on the reviewed list: what it merely could do does not count, and is still shown. */
  reviewed: boolean
}

export interface Verdict {
  trustStatus: TrustStatus
  humanWarning: string
  confidence: Confidence
}

/** Weighs the findings: the worst one decides, blindness never helps. */
export function judge({ flags, complete, reviewed }: VerdictInput): Verdict {
  const worst = flags.toSorted((a, b) => rank(b.severity) - rank(a.severity))[0]
  const found: TrustStatus = worst === undefined ? 'Safe' : VERDICTS[worst.severity].trustStatus
  const seen = complete ? found : worseOf(found, 'Medium Risk')
  // What anybody can do to the holders is no publicly known power: the list never covers it.
  const trustStatus = reviewed && worst?.severity !== 'critical' ? betterOf(seen, 'Low Risk') : seen
  return {
    trustStatus,
    humanWarning: explain(worst, complete, reviewed),
    confidence: complete ? (worst?.confidence ?? 'high') : 'low',
  }
}

export const rank = (severity: Severity) => SEVERITIES.indexOf(severity)

const order = (status: TrustStatus) => TRUST_STATUSES.indexOf(status)
const worseOf = (a: TrustStatus, b: TrustStatus) => (order(a) >= order(b) ? a : b)
const betterOf = (a: TrustStatus, b: TrustStatus) => (order(a) <= order(b) ? a : b)

const UNSEEN = 'The code could not be analysed completely, so that something may be hidden in it.'
const REVIEWED = 'This is a widely used contract whose powers are publicly known.'
const NOTHING = 'No harmful ability was found in the code.'

function explain(worst: JudgedFlag | undefined, complete: boolean, reviewed: boolean): string {
  const sentences = [
    worst === undefined ? undefined : `${worst.title}: ${worst.description}`,
    complete ? undefined : UNSEEN,
  ]
  if (reviewed) sentences.unshift(REVIEWED)
  const said = sentences.filter((sentence) => sentence !== undefined)
  return said.length === 0 ? NOTHING : said.join(' ')
}
