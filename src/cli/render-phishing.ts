import { styleText } from 'node:util'
import type { PhishingAnswer } from './wire.js'

type Style = Parameters<typeof styleText>[0]

const STYLES: Record<string, Style> = {
  SAFE: 'green',
  LOW_RISK: 'yellow',
  HIGH_RISK: 'red',
  CRITICAL: 'red',
}
/** As wide as the labels of the other reports. */
const LABEL_WIDTH = 10
/** The rest is in the JSON. */
const MAX_FINDINGS = 4

/** The phishing answer as indented lines. `colour` is for terminals only. */
export function renderPhishing(answer: PhishingAnswer, { colour }: { colour: boolean }): string {
  const paint = (style: Style, text: string) => (colour ? styleText(style, text) : text)
  const { verdict, riskScore, reason, findings = [], errorReason } = answer
  const first =
    verdict === undefined
      ? paint('red', errorReason ?? 'no answer')
      : `${paint(STYLES[verdict] ?? 'yellow', verdict)}, risk ${riskScore}${reason ? `: ${reason}` : ''}`
  const lines = [first, ...findings.slice(0, MAX_FINDINGS).map(({ detail }) => detail)]
  const labelled = lines.map((text, i) => `  ${paint('dim', (i === 0 ? 'phishing' : '').padEnd(LABEL_WIDTH))}${text}`)
  return `${labelled.join('\n')}\n`
}
