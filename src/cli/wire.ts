import type { SimulationReport } from '../http/routes/execute-simulation/schema.js'
import type { HoneypotReportBody } from '../http/routes/honeypot-checks/schema.js'
import type { PhishingReportBody } from '../http/routes/phishing-checks/schema.js'

/** What the service says when it could not do what was asked. */
export interface FailedAnswer {
  success: false
  errorReason: string
}

export type SimulationAnswer = SimulationReport | FailedAnswer
export type HoneypotAnswer = HoneypotReportBody | FailedAnswer
export type PhishingAnswer = PhishingReportBody | FailedAnswer
