/** `0x7a25…488D`: enough to recognise, for where the whole address is one click away. */
export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** Whole coins of an amount in wei, to so many significant digits. */
export const formatCoins = (wei: bigint, digits = 4): string => formatAmount(wei, 18, digits)

/** Whole tokens of an amount in base units, to so many significant digits. */
export function formatAmount(units: bigint, decimals: number, digits = 4): string {
  const sign = units < 0n ? '−' : ''
  const text = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const whole = text.slice(0, text.length - decimals)
  const fraction = text.slice(text.length - decimals)
  if (whole !== '0') return `${sign}${group(whole)}${trim(fraction.slice(0, Math.max(0, digits - whole.length)))}`
  const first = fraction.search(/[1-9]/)
  return first < 0 ? '0' : `${sign}0${trim(fraction.slice(0, first + digits))}`
}

const trim = (fraction: string) => {
  const digits = fraction.replace(/0+$/, '')
  return digits === '' ? '' : `.${digits}`
}

/** Thin spaces between thousands, which no locale reads as a decimal point. */
const group = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, '\u2009')

export const formatCount = (count: number | bigint | string) => group(String(count))

/** Keeps a number and its unit on one line, where a sentence of the service wraps. */
export const keepUnits = (text: string) => text.replace(/(\d) (?=%)/g, '$1\u00a0')

/** `4.95 %`, with a space that does not break. */
export const formatPercent = (percent: number) => `${Number(percent.toFixed(2))}\u00a0%`

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** In UTC, as blocks have it. Empty for a time that is none. */
export function formatTime(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? '' : `${TIME.format(time)} UTC`
}

/** `3 hours`: the largest unit that says something. */
export function formatDuration(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const
  const [size, name] = units.find(([unit]) => Math.abs(seconds) >= unit) ?? [1, 'second']
  const count = Math.round(Math.abs(seconds) / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** `isMintable` to `is mintable`: for fields that have no name of their own here. */
export function toWords(field: string): string {
  const text = field
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[-_]/g, ' ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `3 days ago`, seen from `now`; both ISO 8601. */
export function formatAge(iso: string, now: string): string {
  const seconds = (Date.parse(now) - Date.parse(iso)) / 1_000
  return Number.isNaN(seconds) ? '' : `${formatDuration(Math.max(1, seconds))} ago`
}
