/** What RLP writes: bytes, or a list of such (Yellow Paper, appendix B). */
export type RlpItem = Uint8Array | readonly RlpItem[]

export function encodeRlp(item: RlpItem): Uint8Array {
  return item instanceof Uint8Array ? encodeBytes(item) : encodeList(item)
}

/** A number as RLP holds it: big-endian without leading zeroes, zero as the empty string. */
export function quantityBytes(value: bigint | number): Uint8Array {
  const digits = value.toString(16)
  return value === 0 || value === 0n ? NO_BYTES : evenHex(digits)
}

/** Reads exactly one item. Throws a `RangeError` on anything that an encoder does not write. */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const { item, end } = decodeAt(bytes, 0, 0)
  return end === bytes.length ? item : malformed('bytes behind the item')
}

/** The number in `bytes`; none of the callers reads one that an encoder has not checked. */
export const bytesToQuantity = (bytes: Uint8Array): bigint => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)

function encodeBytes(bytes: Uint8Array): Uint8Array {
  const [first] = bytes
  if (bytes.length === 1 && first !== undefined && first < STRING) return bytes
  return Buffer.concat([encodeLength(bytes.length, STRING), bytes])
}

function encodeList(items: readonly RlpItem[]): Uint8Array {
  const body = Buffer.concat(items.map(encodeRlp))
  return Buffer.concat([encodeLength(body.length, LIST), body])
}

function encodeLength(length: number, offset: number): Uint8Array {
  if (length <= MAX_SHORT) return Uint8Array.of(offset + length)
  const bytes = evenHex(length.toString(16))
  return Buffer.concat([Uint8Array.of(offset + MAX_SHORT + bytes.length), bytes])
}

interface Decoded {
  item: RlpItem
  end: number
}

function decodeAt(bytes: Uint8Array, at: number, depth: number): Decoded {
  const prefix = bytes[at] ?? malformed('an item that is cut off')
  if (prefix < STRING) return { item: bytes.subarray(at, at + 1), end: at + 1 }
  const offset = prefix < LIST ? STRING : LIST
  const { start, end } = readSpan(bytes, at, prefix - offset)
  if (offset === STRING) {
    const item = bytes.subarray(start, end)
    return item.length === 1 && (item[0] as number) < STRING ? malformed('a byte in long form') : { item, end }
  }
  if (depth >= MAX_DEPTH) malformed('lists too deep in lists')
  const items: RlpItem[] = []
  for (let next = start; next < end; ) {
    const inner = decodeAt(bytes, next, depth + 1)
    if (inner.end > end) malformed('an item longer than its list')
    items.push(inner.item)
    next = inner.end
  }
  return { item: items, end }
}

function readSpan(bytes: Uint8Array, at: number, length: number): { start: number; end: number } {
  const width = Math.max(0, length - MAX_SHORT)
  const start = at + 1 + width
  const long = bytes.subarray(at + 1, start)
  if (width > MAX_WIDTH || long.length < width || long[0] === 0) malformed('a length of no use')
  const size = width === 0 ? length : Number(bytesToQuantity(long))
  if (width > 0 && size <= MAX_SHORT) malformed('a length in long form')
  return start + size <= bytes.length ? { start, end: start + size } : malformed('an item that is cut off')
}

function malformed(what: string): never {
  throw new RangeError(`not RLP: ${what}`)
}

const evenHex = (digits: string) => Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')

const NO_BYTES = new Uint8Array(0)
const STRING = 0x80
const LIST = 0xc0
/** Longer payloads have a length of their own. */
const MAX_SHORT = 55
/** Bytes of a length: 4 GB, more than any body may have. */
const MAX_WIDTH = 4
/** Headers, trie nodes and transactions need four. */
const MAX_DEPTH = 16
