import { LEAST_SCORES } from '../levels.js'
import type { Severity, ThreatLevel } from './bytecode-report.js'

/**
 * What a finding in the code is worth on the scale of `levels.ts` where acting did not answer it,
 * and its word in the answer. A capability that was only read is at most `Medium Risk`: what it
 * does is proven by doing it, and then it has a score of its own.
 */
export const SEVERITY_SCORES: Record<Severity, { score: number; threatLevel: ThreatLevel }> = {
  critical: { score: 69, threatLevel: 'HIGH' },
  high: { score: 60, threatLevel: 'HIGH' },
  medium: { score: 40, threatLevel: 'MEDIUM' },
  low: { score: LEAST_SCORES['Low Risk'], threatLevel: 'LOW' },
}

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Severity[]

export const rank = (severity: Severity) => SEVERITIES.indexOf(severity)
