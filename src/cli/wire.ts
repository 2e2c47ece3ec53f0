import type { HoneypotReportBody } from '../reports/honeypot/schema.js'
import type { PhishingReportBody } from '../reports/phishing/schema.js'
import type { SimulationReport } from '../reports/simulation/schema.js'

/** What the service says when it could not do what was asked. */
export interface FailedAnswer {
  success: false
  errorReason: string
}

export type SimulationAnswer = SimulationReport | FailedAnswer
export type HoneypotAnswer = HoneypotReportBody | FailedAnswer
export type PhishingAnswer = PhishingReportBody | FailedAnswer
