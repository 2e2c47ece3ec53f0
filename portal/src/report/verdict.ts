import type { ByteCode, Honeypot, Phishing, Reports, Simulate, Window } from '../api/reports.js'
import { formatPercent } from '../format.js'

/** `trap`: money cannot come out. `danger`: it may not tomorrow, or most of it is lost. `unknown`: neither guilt nor safety. */
export type Level = 'trap' | 'danger' | 'caution' | 'unknown' | 'clear'

export interface Verdict {
  level: Level
  headline: string
  /** Why, in one sentence. */
  reason: string
}

/** Percent from which a trade is a loss rather than a cost. */
const RUINOUS_TAX = 50
const HIGH_TAX = 10

/**
 * One verdict of what all checks said: the worst counts, and what could not be found out is never taken for good. Observed harm comes before
 * powers, powers before costs.
 */
export function judge({ simulation, honeypot, phishing, failures, expected }: Reports): Verdict {
  const simulate = simulation?.checks.simulateResult
  const code = simulation?.checks.byteCodeResult
  const trade = honeypot?.honeypotResponse
  return (
    judgeHarm(simulate, trade) ??
    judgePhishing(phishing) ??
    judgeCode(code, trade) ??
    judgeTax(simulate, trade) ??
    judgeGaps(simulate, trade, code) ??
    judgeFailures(failures) ??
    judgeUnseen(phishing) ??
    judgeCaution(code, trade) ??
    allClear(simulate, trade, code, phishing !== undefined || !expected.includes('phishing'))
  )
}

function judgeHarm(simulate: Simulate | undefined, trade: Honeypot | undefined): Verdict | undefined {
  if (simulate?.isHoneypot || trade?.isHoneypot) {
    const why = simulate?.errorReason || trade?.errorReason || 'the sell was refused'
    return {
      level: 'trap',
      headline: 'It can be bought. It cannot be sold.',
      reason: `A fresh account bought it and tried to sell: ${toClause(why)}.`,
    }
  }
  if (!trade?.isTimeHoneypot) return undefined
  const [now, ...later] = trade.timeTravelResults
  const worst = later.find((window) => window.sellTax >= RUINOUS_TAX || window.errorReason !== '') ?? later.at(-1)
  return {
    level: 'trap',
    headline: 'It sells today. Later it will not.',
    reason: now && worst ? describeTurn(now, worst) : 'Selling turns hostile in a later window.',
  }
}

/** Reasons of the service begin and end like sentences; here they are part of one. */
const toClause = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '')

function describeTurn(now: Window, later: Window): string {
  const when = later.label.toLowerCase()
  if (later.sellTax >= 100) return `A sell costs ${formatPercent(now.sellTax)} now; in ${when} nothing comes back.`
  return `The tax of a sell goes from ${formatPercent(now.sellTax)} now to ${formatPercent(later.sellTax)} in ${when}.`
}

function judgePhishing(phishing: Phishing | undefined): Verdict | undefined {
  if (phishing?.verdict !== 'CRITICAL' && phishing?.verdict !== 'HIGH_RISK') return undefined
  const seen = phishing.checks.find(({ triggered }) => triggered)
  return {
    level: phishing.verdict === 'CRITICAL' ? 'trap' : 'danger',
    headline: 'It is out for what you approve, sign or pay.',
    reason: seen
      ? `${seen.name}: ${toClause(seen.detail)}.`
      : 'What victims approve, sign or pay ends with somebody else.',
  }
}

const DANGER_WORDS = {
  'Critical Risk': 'Its code can take what you hold.',
  'High Risk': 'Somebody has power over what you hold.',
} as const

function judgeCode(code: ByteCode | undefined, trade: Honeypot | undefined): Verdict | undefined {
  const sources = [code, trade as Partial<ByteCode> | undefined]
  for (const status of ['Critical Risk', 'High Risk'] as const) {
    const source = sources.find((each) => each?.trustStatus === status)
    if (source) return { level: 'danger', headline: DANGER_WORDS[status], reason: source.humanWarning ?? status }
  }
  return undefined
}

function judgeTax(simulate: Simulate | undefined, trade: Honeypot | undefined): Verdict | undefined {
  const buy = Math.max(Number(simulate?.buyTax ?? 0), trade?.buyTax ?? 0)
  const sell = Math.max(Number(simulate?.sellTax ?? 0), trade?.sellTax ?? 0)
  const worst = Math.max(buy, sell)
  if (worst < HIGH_TAX) return undefined
  const reason = `It keeps ${formatPercent(buy)} of a purchase and ${formatPercent(sell)} of a sale.`
  return worst >= RUINOUS_TAX
    ? { level: 'danger', headline: 'Trading it costs most of the money.', reason }
    : { level: 'caution', headline: 'It works, and it takes its share.', reason }
}

/** What says nothing about the token is neither good nor bad. */
function judgeGaps(
  simulate: Simulate | undefined,
  trade: Honeypot | undefined,
  code: ByteCode | undefined,
): Verdict | undefined {
  if (code && !code.isContract) {
    return {
      level: 'unknown',
      headline: 'There is no contract here.',
      reason: 'The address is an account, or nothing was deployed at it on this chain.',
    }
  }
  const why =
    simulate?.inconclusive ?? trade?.inconclusive ?? (simulate && !simulate.success ? simulate.errorReason : undefined)
  if (why === undefined) return undefined
  return { level: 'unknown', headline: 'Nobody can say yet.', reason: `Trading proves nothing here: ${toClause(why)}.` }
}

function judgeFailures(failures: Reports['failures']): Verdict | undefined {
  const [first] = Object.values(failures)
  if (!first) return undefined
  return {
    level: 'unknown',
    headline: 'Part of the answer is missing.',
    reason: `${first.errorReason}: what is not known is not taken for good.`,
  }
}

function judgeUnseen(phishing: Phishing | undefined): Verdict | undefined {
  if (!phishing?.inconclusive) return undefined
  const why = phishing.reason ? `: ${toClause(phishing.reason)}` : ''
  return {
    level: 'unknown',
    headline: 'Part of the answer is missing.',
    reason: `What becomes of what is approved, signed or paid could not be found out${why}.`,
  }
}

/** From here on the score itself asks for care. */
const CAREFUL_SCORE = 40

function judgeCaution(code: ByteCode | undefined, trade: Honeypot | undefined): Verdict | undefined {
  const source = [code, trade as Partial<ByteCode> | undefined].find((each) => each?.trustStatus === 'Medium Risk')
  if (source)
    return { level: 'caution', headline: 'It trades. Look before you hold it.', reason: source.humanWarning ?? '' }
  if (trade && trade.riskScore >= CAREFUL_SCORE) {
    const why = trade.findings[0]?.detail ?? `The risk score is ${trade.riskScore} of 100`
    return { level: 'caution', headline: 'It trades. Look before you hold it.', reason: `${why.replace(/\.$/, '')}.` }
  }
  return undefined
}

function allClear(
  simulate: Simulate | undefined,
  trade: Honeypot | undefined,
  code: ByteCode | undefined,
  isComplete: boolean,
): Verdict {
  if (!simulate || !trade || !code || !isComplete)
    return { level: 'unknown', headline: 'Nobody can say yet.', reason: 'Nothing is known so far.' }
  const tax = Math.max(trade.buyTax, trade.sellTax)
  const cost = tax === 0 ? 'without any tax' : `at a tax of ${formatPercent(tax)} at most`
  const inCode =
    code.trustStatus === 'Safe'
      ? 'nothing harmful was found in its code'
      : 'its code holds nothing graver than a low risk'
  const where = simulate.venue ? ` on ${simulate.venue.name}` : ''
  return {
    level: 'clear',
    headline: 'It can be bought, held and sold.',
    reason: `A fresh account bought and sold it${where} ${cost}, now, in 24 hours and in 7 days, and ${inCode}.`,
  }
}
