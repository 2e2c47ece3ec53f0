import { formatCount } from '../format.js'

/** Digits of a price that a person compares. */
const DIGITS = 4
/** Zeros behind the point that can still be counted at a glance. */
const MAX_ZEROS = 4

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

/**
 * A price to so many significant digits. Long runs of zeros are counted, as exchanges write them:
 * `0.0₇4331` is 0.00000004331.
 */
export function formatPrice(price: string): string {
  const [whole = '0', fraction = ''] = price.split('.')
  const places = Math.max(0, DIGITS - (whole === '0' ? 0 : whole.length))
  if (whole !== '0') return join(formatCount(whole), fraction.slice(0, places))
  const zeros = fraction.search(/[1-9]/)
  if (zeros < 0) return '0'
  const digits = trim(fraction.slice(zeros, zeros + DIGITS))
  if (zeros <= MAX_ZEROS) return `0.${'0'.repeat(zeros)}${digits}`
  const count = [...String(zeros)].map((digit) => SUBSCRIPTS[Number(digit)]).join('')
  return `0.0${count}${digits}`
}

const trim = (digits: string) => digits.replace(/0+$/, '')
const join = (whole: string, fraction: string) => (trim(fraction) === '' ? whole : `${whole}.${trim(fraction)}`)
