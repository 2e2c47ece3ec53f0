import { styleText } from 'node:util'
import type { HoneypotAnswer, SimulationAnswer } from './wire.js'

type Style = Parameters<typeof styleText>[0]

/** Both answers on one target as a block of indented lines. `colour` is for terminals only. */
export function renderReport(
  simulation: SimulationAnswer,
  honeypot: HoneypotAnswer,
  { colour }: { colour: boolean },
): string {
  const paint = (style: Style, text: string) => (colour ? styleText(style, text) : text)
  const lines = [...simulationLines(simulation, paint), ...honeypotLines(honeypot, paint)]
  return `${lines.map(([label, text]) => `  ${paint('dim', label.padEnd(LABEL_WIDTH))}${text}`).join('\n')}\n`
}

type Paint = (style: Style, text: string) => string
type Line = [label: string, text: string]

function simulationLines({ checks, errorReason }: SimulationAnswer, paint: Paint): Line[] {
  if (!checks) return [['trade', paint('red', errorReason ?? 'no answer')]]
  const { simulateResult, byteCodeResult, transactionHistoryResult } = checks
  const { trustStatus, humanWarning, riskFlags } = byteCodeResult
  return [
    ['trade', paint(tradeStyle(simulateResult), describeTrade(simulateResult))],
    [
      'bytecode',
      `${paint(TRUST_STYLES[trustStatus] ?? 'yellow', trustStatus)}${humanWarning ? `: ${humanWarning}` : ''}`,
    ],
    ...riskFlags.map(({ threatLevel, title }): Line => ['', `${threatLevel.toLowerCase()}: ${title}`]),
    ['history', describeHistory(transactionHistoryResult)],
  ]
}

function honeypotLines({ honeypotResponse, errorReason }: HoneypotAnswer, paint: Paint): Line[] {
  if (!honeypotResponse) return [['windows', paint('red', errorReason ?? 'no answer')]]
  const { inconclusive, timeTravelResults } = honeypotResponse
  if (inconclusive) return [['windows', paint('yellow', inconclusive)]]
  return timeTravelResults.map(({ label, buyTax, sellTax, riskScore }, i) => [
    i === 0 ? 'windows' : '',
    paint(
      riskScore >= HOSTILE_SCORE ? 'red' : 'green',
      `${label.padEnd(LABEL_WIDTH)} buy ${buyTax} %, sell ${sellTax} %, risk ${riskScore}`,
    ),
  ])
}

/** From here on a window is painted red. */
const HOSTILE_SCORE = 91
const LABEL_WIDTH = 10

const TRUST_STYLES: Record<string, Style> = {
  Safe: 'green',
  'Low Risk': 'green',
  'Medium Risk': 'yellow',
  'High Risk': 'red',
  'Critical Risk': 'red',
}

type Checks = NonNullable<SimulationAnswer['checks']>

function tradeStyle({ success, isHoneypot }: Checks['simulateResult']): Style {
  if (isHoneypot) return 'red'
  return success ? 'green' : 'yellow'
}

function describeTrade({
  success,
  isHoneypot,
  errorReason,
  buyTax,
  sellTax,
  gasUsed,
  venue,
}: Checks['simulateResult']): string {
  const trap = isHoneypot ? 'HONEYPOT. ' : ''
  if (!success) return `${trap}${errorReason}`
  if (!venue) return `${trap}took a small native payment, gas ${gasUsed}`
  return `${trap}bought and sold on ${venue.name}: buy tax ${buyTax ?? '?'} %, sell tax ${sellTax ?? '?'} %, gas ${gasUsed}`
}

function describeHistory({ success, activityPulse, message }: Checks['transactionHistoryResult']): string {
  return success ? `${activityPulse}. ${message}` : `unknown. ${message}`
}
