import type { HoneypotReportBody } from '../reports/honeypot/schema.js'
import {
  createPaint,
  LABEL_WIDTH,
  type Line,
  type Paint,
  renderLines,
  tokenLines,
  verdictLines,
} from './render-verdict.js'
import { walletLines } from './render-wallet.js'
import type { HoneypotAnswer, PhishingAnswer, SimulationAnswer } from './wire.js'

/** All answers on one target. */
export interface Answers {
  simulation: SimulationAnswer
  honeypot: HoneypotAnswer
  phishing: PhishingAnswer
}

/**
 * The answers on one target as a block of indented lines, the verdict first. `colour` is for
 * terminals only.
 */
export function renderReport({ simulation, honeypot, phishing }: Answers, { colour }: { colour: boolean }): string {
  const paint = createPaint(colour)
  const first = [simulation, honeypot, phishing].find((answer) => answer.success)
  const lines: Line[] = [
    ...(first?.success ? [...verdictLines(first.overall, paint), ...tokenLines(first.token, paint)] : []),
    ...simulationLines(simulation, paint),
    ...honeypotLines(honeypot, paint),
    ...phishingLines(phishing, paint),
  ]
  return renderLines(lines, paint)
}

/** The phishing answer alone. */
export function renderPhishing(phishing: PhishingAnswer, { colour }: { colour: boolean }): string {
  const paint = createPaint(colour)
  return renderLines(phishingLines(phishing, paint), paint)
}

const failedLine = (label: string, errorReason: string, paint: Paint): Line => [label, paint('red', errorReason)]

function simulationLines(answer: SimulationAnswer, paint: Paint): Line[] {
  if (!answer.success) return [failedLine('trade', answer.errorReason, paint)]
  const { simulateResult, byteCodeResult, transactionHistoryResult } = answer.checks
  const { isContract, riskFlags, complete } = byteCodeResult
  const found = riskFlags.length === 0 ? 'nothing harmful was found' : `${riskFlags.length} findings`
  return [
    ['trade', describeTrade(simulateResult)],
    ['code', isContract ? `${found}${complete ? '' : ', and not all of it could be read'}` : 'no contract'],
    ...riskFlags.map(({ threatLevel, title }): Line => ['', `${threatLevel.toLowerCase()}: ${title}`]),
    ['history', describeHistory(transactionHistoryResult)],
  ]
}

type Checks = Extract<SimulationAnswer, { success: true }>['checks']

function describeTrade(trade: Checks['simulateResult']): string {
  const { success, isHoneypot, errorReason, buyTax, sellTax, gasUsed, venue } = trade
  const trap = isHoneypot ? 'HONEYPOT. ' : ''
  if (!success) return `${trap}${errorReason}`
  if (!venue) return `${trap}took a small native payment, gas ${gasUsed}`
  return `${trap}bought and sold on ${venue.name}: buy tax ${buyTax ?? '?'} %, sell tax ${sellTax ?? '?'} %, gas ${gasUsed}`
}

function describeHistory({ success, activityPulse, message }: Checks['transactionHistoryResult']): string {
  return success ? `${activityPulse}. ${message}` : `unknown. ${message}`
}

function honeypotLines(answer: HoneypotAnswer, paint: Paint): Line[] {
  if (!answer.success) return [failedLine('windows', answer.errorReason, paint)]
  const { honeypotResponse: trade } = answer
  const { inconclusive, timeTravelResults } = trade
  // Figures of a trade that did not take place are zero, and mean nothing.
  const traded = timeTravelResults.filter(
    ({ errorReason, riskScore }) => inconclusive === null || errorReason === '' || riskScore > 0,
  )
  const said = traded.map(
    ({ label, buyTax, sellTax, riskScore }) =>
      `${label.padEnd(LABEL_WIDTH)} buy ${buyTax} %, sell ${sellTax} %, risk ${riskScore}`,
  )
  const windows = [...(inconclusive === null ? [] : [paint('yellow', inconclusive)]), ...said]
  return [...windows.map((line, i): Line => [i === 0 ? 'windows' : '', line]), ...surroundingLines(trade)]
}

type Trade = HoneypotReportBody['honeypotResponse']

/** The rest is in the JSON. */
const MAX_SHOWN = 4

/** The market, the maker, what privileged roles can do, what holders could, and the liquidity. */
function surroundingLines({ market, origin, powers, powersTried, holderAnalysis, liquidity }: Trade): Line[] {
  const shown = powers.filter(({ riskScore }) => riskScore > 0).slice(0, MAX_SHOWN)
  const none = powersTried?.unfinished
    ? `not all were tried: ${powersTried.unfinished}`
    : 'none that could harm holders'
  return [
    ...(market === null ? [] : [['market', describeMarket(market)] as const]),
    ...(origin?.creator ? [['made by', describeOrigin(origin)] as const] : []),
    ...shown.map(
      ({ effect, holder, loss, riskScore }, i): Line => [
        i === 0 ? 'powers' : '',
        `${effect.replaceAll('-', ' ')} by ${holder.kind}, up to ${loss} %, risk ${riskScore}`,
      ],
    ),
    ...(powersTried !== null && shown.length === 0 ? [['powers', none] as const] : []),
    ...(holderAnalysis === null ? [] : [['holders', describeHolders(holderAnalysis)] as const]),
    ...(liquidity === null ? [] : [['liquidity', describeLiquidity(liquidity)] as const]),
  ]
}

function describeMarket({ pools, omitted }: NonNullable<Trade['market']>): string {
  const judged = pools.find(({ isJudged }) => isJudged)
  const price = judged?.price ? `one costs ${judged.price} ${judged.quote.symbol}; ` : ''
  const others = pools.length + omitted - 1
  return `${price}${judged?.venue ?? 'unknown'}${others > 0 ? ` and ${others} more pool${others === 1 ? '' : 's'}` : ''}`
}

function describeOrigin({ creator, through, timestamp, isProven }: NonNullable<Trade['origin']>): string {
  const how = `${through === null ? '' : ' through a contract'}${isProven ? '' : ', by the word of the node'}`
  return `${creator}${how}${timestamp === null ? '' : `, ${timestamp.slice(0, 10)}`}`
}

function describeHolders(analysis: NonNullable<Trade['holderAnalysis']>): string {
  const { tested, successful, ruined, siphoned, unfinished } = analysis
  const lost = ruined > 0 ? `, ${ruined} lost half or more by it` : ''
  const emptied = siphoned > 0 ? `, ${siphoned} were emptied` : ''
  return `${successful} of ${tested} could sell${lost}${emptied}${unfinished ? ` (${unfinished})` : ''}`
}

function describeLiquidity(liquidity: NonNullable<Trade['liquidity']>): string {
  const { burntShare, lockedShare, unknownShare, withdrawableShare } = liquidity
  const parts = [
    [burntShare, 'burnt'],
    [lockedShare, 'locked'],
    [withdrawableShare.now, 'can be taken out at once'],
    [unknownShare, 'of unknown owners'],
  ] as const
  return parts.flatMap(([share, what]) => (share > 0 ? [`${share} % ${what}`] : [])).join(', ') || 'not known'
}

function phishingLines(answer: PhishingAnswer, paint: Paint): Line[] {
  if (!answer.success) return [failedLine('phishing', answer.errorReason, paint)]
  const { verdict, riskScore, reason, findings, wallet } = answer
  const first = `${verdict}, risk ${riskScore}${reason ? `: ${reason}` : ''}`
  const found = [first, ...findings.slice(0, MAX_SHOWN).map(({ detail }) => detail)]
  return [...found.map((text, i): Line => [i === 0 ? 'phishing' : '', text]), ...walletLines(wallet, paint)]
}
