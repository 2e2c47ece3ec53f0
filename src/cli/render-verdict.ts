import { styleText } from 'node:util'
import { TRUST_STATUSES, type TrustStatus } from '../checks/levels.js'
import type { Advice } from '../reports/advice.js'
import { describeRisk } from '../reports/describe-risk.js'
import type { Overall } from '../reports/fields/overall.js'
import type { TokenBody } from '../reports/fields/token.js'

export type Style = Parameters<typeof styleText>[0]
export type Paint = (style: Style, text: string) => string
export type Line = readonly [label: string, text: string]

/** Colour is for terminals only. */
export const createPaint =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(style, text) : text

export const LABEL_WIDTH = 10

/** Lines with a label each, indented. */
export const renderLines = (lines: readonly Line[], paint: Paint): string =>
  lines.map(([label, text]) => `  ${paint('dim', label.padEnd(LABEL_WIDTH))}${text}\n`).join('')

export const LEVEL_STYLES: Readonly<Record<TrustStatus, Style>> = {
  Safe: 'green',
  'Low Risk': 'green',
  'Medium Risk': 'yellow',
  'High Risk': 'red',
  'Critical Risk': 'red',
}

/** A verdict in a few words: what to do, and how sure that is. */
export const wordOf = (verdict: { advice: Advice; level: TrustStatus; score: number }, paint: Paint): string =>
  paint(LEVEL_STYLES[verdict.level], `${verdict.advice} (${describeRisk(verdict)})`)

/** The one verdict, first of all. */
export function verdictLines(overall: Overall, paint: Paint): Line[] {
  if (overall === null) return []
  const { headline, reason, inconclusive } = overall
  return [
    ['verdict', `${wordOf(overall, paint)}: ${headline}`],
    ['', reason],
    ...(inconclusive === null ? [] : [['missing', paint('yellow', inconclusive)] as const]),
  ]
}

/** What the token calls itself, and what is odd about that. */
export function tokenLines(token: TokenBody, paint: Paint): Line[] {
  if (token === null) return []
  const { name, symbol, decimals, totalSupply, marks, imitates } = token
  const odd = [...(imitates ? [`not the well-known ${imitates.symbol}`] : []), ...marks]
  const warning = odd.length > 0 ? paint('yellow', ` (${odd.join(', ')})`) : ''
  const supply = totalSupply === null ? '' : `, supply ${toWhole(totalSupply, decimals ?? 0)}`
  return [['token', `${name || '?'}, ${symbol || '?'}${warning}, ${decimals ?? '?'} decimals${supply}`]]
}

const toWhole = (baseUnits: string, decimals: number) => baseUnits.slice(0, -decimals || undefined) || '0'

/** Exit code of a command that judged a target: 0 for `Safe`, and ten more for each worse word. */
export const exitCodeOf = (overall: Overall): number =>
  overall === null ? 0 : TRUST_STATUSES.indexOf(overall.level) * 10
