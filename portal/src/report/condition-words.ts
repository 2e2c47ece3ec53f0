import { formatAmount, formatTime, shorten } from '../format.js'

/** What the numbers of a token are counted in; absent where it does not say. */
export interface TokenUnits {
  decimals: number | null
  symbol: string
}

/** Of a token that does not say. */
export const NO_UNITS: TokenUnits = { decimals: null, symbol: '' }

const WORD_BITS = 256n
const NO_LIMIT = 2n ** WORD_BITS - 1n
/** Seconds since 1970 of the years 2015 to 2100: what lies there is read as a time. */
const [FIRST_SECOND, LAST_SECOND] = [1_420_070_400n, 4_102_444_800n]
/** Below it a number is a count, a switch or a share, and is left as it is. */
const LEAST_AMOUNT = 1_000_000_000_000n

/**
 * A condition as a person reads it: amounts with their decimals, times as dates, shares in percent,
 * addresses shortened, and without the masks by which code takes packed words apart. What is none
 * of these stays as it is; the raw answer keeps all of it.
 */
export function readCondition(text: string, units: TokenUnits): string {
  return text
    .replace(/(\d+) \* (.+?) \/ (10{2,18})\b/g, (whole, part: string, of: string, base: string) =>
      readShare(whole, BigInt(part), BigInt(base), of),
    )
    .replace(/ \/ (0x10*|1)\b(?!\d)/g, (whole, divisor: string) => (isPowerOfBytes(divisor) ? '' : whole))
    .replace(/ & 0x(?:0*(?:ff)+|f{1,64})\b/gi, '')
    .replace(/\bslot (?:\d+|0x[0-9a-f]+)(?= \(0x[0-9a-f]{40}\))/gi, 'an address that the token keeps')
    .replace(/\bslot \d+\b/g, 'a word that the token keeps')
    .replace(/\bslot 0x[0-9a-f]+\b/g, 'a word that the token keeps')
    .replace(/\b(?:a nested )?mapping(?: \d+| 0x[0-9a-f]+)?\b/g, 'a list that the token keeps')
    .replace(/0x[0-9a-f]+|\b\d+\b(?! %)/gi, (digits) => readNumber(digits, units))
}

function readShare(whole: string, part: bigint, base: bigint, of: string): string {
  if (part > base) return whole
  return `${Number((part * 10_000n) / base) / 100} % of ${of}`
}

const isPowerOfBytes = (divisor: string) => divisor !== '1' && /^0x1(?:00)+$/.test(divisor)

function readNumber(digits: string, { decimals, symbol }: TokenUnits): string {
  if (/^0x[0-9a-f]{40}$/i.test(digits)) return BigInt(digits) === 0n ? 'nothing' : shorten(digits)
  const value = BigInt(digits)
  if (value === NO_LIMIT) return 'no limit'
  if (value >= FIRST_SECOND && value <= LAST_SECOND) return formatTime(new Date(Number(value) * 1_000).toISOString())
  if (value < LEAST_AMOUNT) return String(value)
  if (decimals === null) return 'a large number'
  return `${formatAmount(value, decimals)} ${symbol || 'tokens'}`
}
