import { styleText } from 'node:util'
import type { SolanaTokenReportBody } from '../http/routes/solana-token-checks/schema.js'

type Style = Parameters<typeof styleText>[0]

/** One answer on a Solana token as a block of indented lines. `colour` is for terminals only. */
export function renderSolanaReport(
  { checks, honeypotResponse, tokenInfo }: Pick<SolanaTokenReportBody, 'checks' | 'honeypotResponse' | 'tokenInfo'>,
  { colour }: { colour: boolean },
): string {
  const paint = (style: Style, text: string) => (colour ? styleText(style, text) : text)
  const { simulateResult, byteCodeResult, transactionHistoryResult: history } = checks
  const { trustStatus, humanWarning, riskFlags } = byteCodeResult
  const traded = simulateResult.success
    ? `bought and sold${tokenInfo?.pools[0] ? ` on ${tokenInfo.pools[0].venue}` : ''}, ${simulateResult.gasUsed} compute units`
    : simulateResult.errorReason
  const lines: [label: string, text: string][] = [
    [
      'trade',
      paint(simulateResult.success ? 'green' : 'red', `${simulateResult.isHoneypot ? 'HONEYPOT. ' : ''}${traded}`),
    ],
    ['rules', `${paint(STYLES[trustStatus], trustStatus)}: ${humanWarning}`],
    ...riskFlags.map(({ threatLevel, title, detail }): [string, string] => [
      '',
      `${threatLevel.toLowerCase()}: ${title} (${detail})`,
    ]),
    ['history', history.success ? `${history.activityPulse}. ${history.message}` : `unknown. ${history.message}`],
    ...(tokenInfo === null ? [] : honeypotResponse.timeTravelResults).map(
      ({ label, buyTax, sellTax, riskScore }, i): [string, string] => [
        i === 0 ? 'windows' : '',
        paint(
          riskScore >= HOSTILE_SCORE ? 'red' : 'green',
          `${label.padEnd(LABEL_WIDTH)} buy ${buyTax} %, sell ${sellTax} %, risk ${riskScore}`,
        ),
      ],
    ),
    ...(honeypotResponse.inconclusive
      ? [['unseen', paint('yellow', honeypotResponse.inconclusive)] as [string, string]]
      : []),
  ]
  return `${lines.map(([label, text]) => `  ${paint('dim', label.padEnd(LABEL_WIDTH))}${text}`).join('\n')}\n`
}

const LABEL_WIDTH = 10
/** From here on a window is painted red: `Critical Risk`. */
const HOSTILE_SCORE = 80

const STYLES: Record<SolanaTokenReportBody['checks']['byteCodeResult']['trustStatus'], Style> = {
  Safe: 'green',
  'Low Risk': 'green',
  'Medium Risk': 'yellow',
  'High Risk': 'red',
  'Critical Risk': 'red',
}
