import { largerOf } from '../../bigints.js'
import { type Address, bytesToHex, type Hex, hexToBytes, toPaddedHex } from '../../hex.js'
import type { ArgumentTemplate } from './call-arguments.js'
import type { EntryPoint } from './read-functions.js'

/** A value for each leaf of a template. */
export type Values = readonly (bigint | Hex)[]

/** Bits of the call data that are written over what its values say. */
export interface Edit {
  /** Of the 32 bytes, from the first byte of the call data. */
  offset: number
  /** Which of their bits, and what they are to be. */
  mask: bigint
  bits: bigint
}

/** Data that a call can be written with. */
export function dataOf(
  { selector = '0x', template }: { selector: EntryPoint['selector']; template: ArgumentTemplate },
  values: Values,
  edits: readonly Edit[] = [],
): Hex {
  const data: Hex = `0x${selector.slice(2)}${template.encode(values).slice(2)}`
  return edits.length === 0 ? data : withEdits(data, edits)
}

/** Data of calls with each of these, once. */
export const distinctData = (entry: Pick<EntryPoint, 'selector' | 'template'>, ways: readonly Values[]): Hex[] => [
  ...new Set(ways.map((values) => dataOf(entry, values))),
]

export const bytesIn = (values: Values): Set<Hex> =>
  new Set(values.filter((value): value is Hex => typeof value === 'string'))

/** `0x` and four bytes. */
const SELECTOR_DIGITS = 10
const WORD_DIGITS = 64

/** By what the called code tells its functions apart: the first four bytes. */
export const selectorIn = (data: Hex): Hex => data.slice(0, SELECTOR_DIGITS) as Hex

/** What follows the selector. */
export const argumentsIn = (data: Hex): Hex => `0x${data.slice(SELECTOR_DIGITS)}`

/** The whole words behind the selector, in order, as many as are asked for. */
export function wordsOf(data: Hex, most = Number.POSITIVE_INFINITY): bigint[] {
  const count = Math.min(Math.floor((data.length - SELECTOR_DIGITS) / WORD_DIGITS), most)
  const wordAt = (at: number) => BigInt(`0x${data.slice(at, at + WORD_DIGITS)}`)
  return Array.from({ length: Math.max(count, 0) }, (_, i) => wordAt(SELECTOR_DIGITS + i * WORD_DIGITS))
}

/** The same call with other words behind its selector. */
export function withWords(data: Hex, change: (word: bigint) => bigint): Hex {
  const changed = wordsOf(data).map((word) => toPaddedHex(change(word), WORD).slice(2))
  const end = SELECTOR_DIGITS + changed.length * WORD_DIGITS
  return `${data.slice(0, SELECTOR_DIGITS)}${changed.join('')}${data.slice(end)}` as Hex
}

const WORD = 32
/** Code can read its call data at any place up to 2^256; no transaction reaches that far. */
const MAX_OFFSET = 65_536

/** The data with these bits, longer where they lie behind its end. */
function withEdits(data: Hex, all: readonly Edit[]): Hex {
  const given = hexToBytes(data)
  const edits = all.filter(({ offset }) => offset <= MAX_OFFSET)
  const bytes = new Uint8Array(Math.max(given.length, ...edits.map(({ offset }) => offset + WORD)))
  bytes.set(given)
  for (const { offset, mask, bits } of edits) {
    for (let i = 0; i < WORD; i += 1) {
      const shift = BigInt(8 * (WORD - 1 - i))
      const [over, put] = [Number((mask >> shift) & 0xffn), Number((bits >> shift) & 0xffn)]
      bytes[offset + i] = ((bytes[offset + i] ?? 0) & ~over) | (put & over)
    }
  }
  return bytesToHex(bytes)
}

/** The largest number among the words of a call, addresses, hashes and those of `except` aside. */
export function numberIn({ data }: { data: Hex }, except: Values = []): bigint {
  return wordsOf(data)
    .filter((word) => word < LEAST_ADDRESS && !except.includes(word))
    .reduce(largerOf, 0n)
}

/** Smaller ones are numbers. */
export const LEAST_ADDRESS = 1n << 128n

/** Call data with one account in the place of another. */
export const renamedFrom = (data: Hex, from: Address, to: Address): Hex =>
  data.replaceAll(from.slice(2), to.slice(2)) as Hex
