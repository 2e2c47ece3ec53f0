import type { HoneypotReportBody } from './honeypot/schema.js'
import type { PhishingReportBody } from './phishing/schema.js'
import type { SimulationReport } from './simulation/schema.js'

/**
 * What existing clients of the mirrored API read at the top of an answer, and we say further down
 * (docs/compatibility.md). Copies, never other values.
 */
export const compatFields = {
  simulation({ checks: { simulateResult } }: SimulationReport) {
    // Calls and logs are most of an answer, and these clients read neither.
    const { simulation: _, ...result } = simulateResult
    return { simulateResult: result, ...(!result.success && { humanReason: result.errorReason }) }
  },
  honeypot({ honeypotResponse }: Pick<HoneypotReportBody, 'honeypotResponse'>) {
    const { isTimeHoneypot, buyTax, sellTax, riskScore } = honeypotResponse
    return { isTimeHoneypot, buyTax, sellTax, totalScore: riskScore }
  },
  phishing: ({ riskScore }: PhishingReportBody) => ({ phishingScore: riskScore }),
}

/** A report as a service without the switch would have made it. */
export function withoutCompatFields(report: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(report).filter(([name]) => !COMPAT_FIELDS.has(name)))
}

/** At the top of an answer, where no field of our own has such a name. */
const COMPAT_FIELDS = new Set([
  'simulateResult',
  'humanReason',
  'isTimeHoneypot',
  'buyTax',
  'sellTax',
  'totalScore',
  'phishingScore',
])
