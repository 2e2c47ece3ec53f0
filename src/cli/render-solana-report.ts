import type { SolanaTokenReportBody } from '../reports/solana/schema.js'
import { createPaint, LABEL_WIDTH, type Line, renderLines, tokenLines, verdictLines } from './render-verdict.js'

type Report = Pick<SolanaTokenReportBody, 'checks' | 'honeypotResponse' | 'overall' | 'token' | 'tokenInfo'>

/**
 * One answer on a Solana token as a block of indented lines, the verdict first. `colour` is for
 * terminals only.
 */
export function renderSolanaReport(
  { checks, honeypotResponse, overall, token, tokenInfo }: Report,
  { colour }: { colour: boolean },
): string {
  const paint = createPaint(colour)
  const { simulateResult, byteCodeResult, transactionHistoryResult: history } = checks
  const traded = simulateResult.success
    ? `bought and sold${tokenInfo?.pools[0] ? ` on ${tokenInfo.pools[0].venue}` : ''}, ${simulateResult.gasUsed} compute units`
    : simulateResult.errorReason
  const windows = tokenInfo === null ? [] : honeypotResponse.timeTravelResults
  const lines: Line[] = [
    ...verdictLines(overall, paint),
    ...tokenLines(token, paint),
    ['trade', `${simulateResult.isHoneypot ? 'HONEYPOT. ' : ''}${traded}`],
    ...byteCodeResult.riskFlags.map(
      ({ threatLevel, title, detail }, i): Line => [
        i === 0 ? 'rules' : '',
        `${threatLevel.toLowerCase()}: ${title} (${detail})`,
      ],
    ),
    ['history', history.success ? `${history.activityPulse}. ${history.message}` : `unknown. ${history.message}`],
    ...windows.map(
      ({ label, buyTax, sellTax, riskScore }, i): Line => [
        i === 0 ? 'windows' : '',
        `${label.padEnd(LABEL_WIDTH)} buy ${buyTax} %, sell ${sellTax} %, risk ${riskScore}`,
      ],
    ),
    ...(honeypotResponse.inconclusive ? [['unseen', paint('yellow', honeypotResponse.inconclusive)] as const] : []),
  ]
  return renderLines(lines, paint)
}
