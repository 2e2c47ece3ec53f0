import type { Expectation } from '../devnet/example.js'
import type { Answers } from './render-report.js'

/** Percentage points by which a measured tax may miss the truth. */
const TAX_TOLERANCE = 0.1

/**
 * What the answers say otherwise than expected, or than each other, a line each; empty when all is
 * as it should be.
 */
export function findMismatches(expect: Expectation, { simulation, honeypot, phishing }: Answers): string[] {
  if (!simulation.success) return [`simulation answered: ${simulation.errorReason}`]
  if (!honeypot.success) return [`honeypot check answered: ${honeypot.errorReason}`]
  if (!phishing.success) return [`phishing check answered: ${phishing.errorReason}`]
  const { simulateResult, byteCodeResult, transactionHistoryResult } = simulation.checks
  const { honeypotResponse } = honeypot
  const titles = byteCodeResult.riskFlags.map(({ title }) => title)
  const { level, score, reason } = simulation.overall ?? { level: 'missing', score: -1, reason: '' }
  return [
    same('overall.level', level, expect.level),
    same('overall.score', score, expect.score),
    includes('overall.reason', reason, expect.reasonIncludes),
    same('overall of the honeypot check', JSON.stringify(honeypot.overall), JSON.stringify(simulation.overall)),
    same('overall of the phishing check', JSON.stringify(phishing.overall), JSON.stringify(simulation.overall)),
    same('byteCodeResult.trustStatus', byteCodeResult.trustStatus, level),
    same('honeypotResponse.trustStatus', honeypotResponse.trustStatus, level),
    same('honeypotResponse.riskScore', honeypotResponse.riskScore, score),
    same('simulateResult.success', simulateResult.success, expect.simulateSuccess),
    same('simulateResult.isHoneypot', simulateResult.isHoneypot, expect.isHoneypot),
    same('honeypotResponse.isHoneypot', honeypotResponse.isHoneypot, expect.isHoneypot),
    includes('simulateResult.errorReason', simulateResult.errorReason, expect.errorReasonIncludes),
    near('simulateResult.buyTax', simulateResult.buyTax, expect.buyTaxPercent),
    near('simulateResult.sellTax', simulateResult.sellTax, expect.sellTaxPercent),
    near('honeypotResponse.buyTax', honeypotResponse.buyTax, expect.buyTaxPercent),
    near('honeypotResponse.sellTax', honeypotResponse.sellTax, expect.sellTaxPercent),
    same('honeypotResponse.isTimeHoneypot', honeypotResponse.isTimeHoneypot, expect.isTimeHoneypot),
    near('sell tax in 7 days', honeypotResponse.timeTravelResults[2]?.sellTax, expect.laterSellTaxPercent),
    same('byteCodeResult.isContract', byteCodeResult.isContract, expect.isContract),
    ...expect.riskTitles.map((title) => (titles.includes(title) ? '' : `no risk flag "${title}"`)),
    ...expect.absentRiskTitles.map((title) => (titles.includes(title) ? `risk flag "${title}"` : '')),
    expect.phishingVerdict === undefined ? '' : oneOf('phishing verdict', phishing.verdict, expect.phishingVerdict),
    same('activityPulse', transactionHistoryResult.activityPulse, expect.activityPulse),
  ].filter((line) => line !== '')
}

function same<T>(name: string, actual: T, expected: T | undefined): string {
  return expected === undefined || actual === expected ? '' : `${name} is ${actual}, expected ${expected}`
}

function oneOf(name: string, actual: string, expected: readonly string[]): string {
  return expected.includes(actual) ? '' : `${name} is ${actual}, expected ${expected.join(' or ')}`
}

function includes(name: string, actual: string, expected: string | undefined): string {
  if (expected === undefined || actual.toLowerCase().includes(expected.toLowerCase())) return ''
  return `${name} is "${actual}", expected something with "${expected}"`
}

function near(name: string, actual: string | number | null | undefined, expected: number | undefined): string {
  if (expected === undefined) return ''
  const isNear = actual !== null && actual !== undefined && Math.abs(Number(actual) - expected) <= TAX_TOLERANCE
  return isNear ? '' : `${name} is ${actual} %, expected ${expected} %`
}
