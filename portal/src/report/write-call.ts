import { formatAmount, formatCount, formatTime, shorten } from '../format.js'
import { type Argument, type DecodedCall, MAX_WORD, type Value } from './decode-call.js'

/** Who is who in a trade, and in what each token counts. Addresses are in lower case. */
export interface Parties {
  names: ReadonlyMap<string, string>
  units: ReadonlyMap<string, { decimals: number; symbol: string }>
}

/** Arguments that are read as times, where they may be one. */
const TIMES = new Set(['deadline', 'time'])
/** 2001 and 2286, in seconds. */
const [EARLIEST, LATEST] = [1_000_000_000n, 9_999_999_999n]
/** Digits of a number that a person still reads. */
const MAX_DIGITS = 30
/** Characters of bytes that are shown whole. */
const MAX_BYTES = 20

/** What a call was given, as it stands between the brackets. */
export function writeArguments(call: DecodedCall, to: string, parties: Parties): string {
  return call.arguments.map((argument) => writeArgument(argument, call, to, parties)).join(', ')
}

/** What it gave back. */
export function writeResults(call: DecodedCall, to: string, parties: Parties): string {
  return call.results.map((argument) => writeArgument(argument, call, to, parties)).join(', ')
}

export function writeArgument({ name, value }: Argument, call: DecodedCall, to: string, parties: Parties): string {
  if (value.kind !== 'number') return writeValue(value, parties)
  if (TIMES.has(name) && value.value >= EARLIEST && value.value <= LATEST)
    return formatTime(new Date(Number(value.value) * 1_000).toISOString())
  if (value.value === MAX_WORD) return 'the most there is'
  const units = unitsOf(name, call, to, parties)
  return units ? `${formatAmount(value.value, units.decimals)} ${units.symbol}` : writeNumber(value.value)
}

function writeValue(value: Value, parties: Parties): string {
  switch (value.kind) {
    case 'address':
      return parties.names.get(value.value) ?? shorten(value.value)
    case 'truth':
      return value.value ? 'yes' : 'no'
    case 'bytes':
      if (value.value === '0x') return 'no data'
      return value.value.length <= MAX_BYTES
        ? value.value
        : `${shorten(value.value)} (${value.value.length / 2 - 1} bytes)`
    case 'number':
      return value.value === MAX_WORD ? 'the most there is' : writeNumber(value.value)
    case 'list': {
      const all = value.values.map((each) => writeValue(each.value, parties))
      return `[${[...all, ...(value.omitted > 0 ? [`${formatCount(value.omitted)} more`] : [])].join(', ')}]`
    }
  }
}

const writeNumber = (value: bigint): string => {
  const digits = String(value)
  return digits.length <= MAX_DIGITS
    ? formatCount(digits)
    : `${digits.slice(0, 4)}… (${formatCount(digits.length)} digits)`
}

/** What an amount counts: the token that is called; of a swap, that at its end of the path. */
function unitsOf(name: string, call: DecodedCall, to: string, { units }: Parties) {
  if (name === 'amount' || name === 'wad') {
    const own = units.get(to.toLowerCase())
    if (own) return own
  }
  const path = call.arguments.find((each) => each.name === 'path')?.value
  if (path?.kind !== 'list' || path.omitted > 0) return undefined
  const end = name === 'amount' ? path.values[0] : name === 'least' ? path.values.at(-1) : undefined
  return end?.value.kind === 'address' ? units.get(end.value.value) : undefined
}
