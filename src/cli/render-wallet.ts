import type { PhishingReportBody } from '../reports/phishing/schema.js'
import type { Line, Paint, Style } from './render-verdict.js'

type Wallet = NonNullable<PhishingReportBody['wallet']>
type Movement = Wallet['leaves'][number]

/** The rest is in the JSON. */
const MAX_SHOWN = 6

const STYLES: Record<Wallet['warnings'][number]['severity'], Style> = {
  CRITICAL: 'red',
  HIGH: 'red',
  MEDIUM: 'yellow',
  LOW: 'dim',
}

/** What a wallet was asked for, taken apart; nothing where it asked for nothing. */
export function walletLines(wallet: Wallet | null, paint: Paint): Line[] {
  if (wallet === null) return []
  const { success, errorReason, leaves, arrives, approvals, warnings } = wallet
  const played = success === null ? 'to be signed' : success ? 'would go through' : `would fail: ${errorReason}`
  return [
    ['wallet', played],
    ...labelled('leaves', leaves.map(describeMovement)),
    ...labelled('comes', arrives.map(describeMovement)),
    ...labelled('allowed', approvals.map(describeApproval)),
    ...labelled(
      'warning',
      warnings.map(({ severity, text }) => paint(STYLES[severity], text)),
    ),
  ]
}

const labelled = (label: string, texts: readonly string[]): Line[] =>
  texts.slice(0, MAX_SHOWN).map((text, i): Line => [i === 0 ? label : '', text])

const describeMovement = ({ amount, symbol, decimals, id, counterparty }: Movement) =>
  `${toAmount(amount, decimals, id)} ${symbol}${counterparty === null ? '' : `, with ${counterparty}`}`

function describeApproval({ kind, spender, amount, symbol, decimals, id, expires }: Wallet['approvals'][number]) {
  if (kind === 'delegation') return `${spender} becomes the code of the account`
  const what = amount === 'Unlimited' ? 'all' : toAmount(amount, decimals, id)
  return `${spender} may take ${what} ${symbol}${expires === null ? '' : ` until ${expires}`}`
}

/** Whole tokens where it is known how many digits they have. */
function toAmount(amount: string, decimals: number | null, id: string | null): string {
  if (id !== null) return `number ${id} of`
  if (decimals === null || decimals === 0) return amount
  const digits = amount.padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}
