import { formatCount } from '../format.js'

/** Digits after the point; what is smaller is shown in its first digits. */
const SHOWN_DIGITS = 6

/** An amount in base units as whole tokens. */
export function formatUnits(amount: bigint, decimals: number): string {
  const text = String(amount).padStart(decimals + 1, '0')
  const whole = formatCount(decimals === 0 ? text : text.slice(0, -decimals))
  const fraction = decimals === 0 ? '' : text.slice(-decimals)
  const first = fraction.search(/[1-9]/)
  if (first < 0) return whole
  const shown = fraction.slice(0, Math.max(SHOWN_DIGITS, first + 2)).replace(/0+$/, '')
  return shown === '' ? whole : `${whole}.${shown}`
}
