import { BaseError } from '../errors.js'
import { type Address, type Hex, hexToBytes } from '../hex.js'

/**
 * Turns what a node said into a value, or throws {@link RpcInvalidAnswerError}. A node is hostile
 * input: spellings that the JSON-RPC specification does not allow (upper case, odd length, leading
 * zeroes, a bare `0x`) are refused, because an honest node has none of them.
 */
export type Parse<T> = (value: unknown) => T

/** A `QUANTITY` of at most 256 bits. */
export function parseQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw new RpcInvalidAnswerError('a quantity', value)
  return BigInt(value)
}

/** Whole bytes of any length, the empty string `0x` included. */
export function parseData(value: unknown): Hex {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !DATA.test(value)) {
    throw new RpcInvalidAnswerError('bytes', value)
  }
  return value as Hex
}

/** As {@link parseData}, decoded. For long data, where looking at each character twice counts. */
export function parseBytes(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !value.startsWith('0x') || value !== value.toLowerCase()) {
    throw new RpcInvalidAnswerError('bytes', value)
  }
  try {
    return hexToBytes(value)
  } catch {
    throw new RpcInvalidAnswerError('bytes', value)
  }
}

/** Exactly 32 bytes. */
export function parseHash(value: unknown): Hex {
  if (typeof value !== 'string' || !HASH.test(value)) throw new RpcInvalidAnswerError('32 bytes', value)
  return value as Hex
}

export function parseAddress(value: unknown): Address {
  if (typeof value !== 'string' || !ADDRESS.test(value)) throw new RpcInvalidAnswerError('an address', value)
  return value as Address
}

/** The members of an object; an array is none. Only own members are ever read. */
export function parseObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RpcInvalidAnswerError('an object', value)
  }
  return value as Record<string, unknown>
}

export function parseList<T>(value: unknown, parseItem: Parse<T>, maxItems: number): T[] {
  if (!Array.isArray(value) || value.length > maxItems)
    throw new RpcInvalidAnswerError(`at most ${maxItems} items`, value)
  return value.map(parseItem)
}

/** A field that older forks or other chains leave out. */
export function parseOptional<T>(value: unknown, parse: Parse<T>): T | undefined {
  return value === undefined || value === null ? undefined : parse(value)
}

/**
 * Two to the 256 has 64 digits; regular expressions without nesting, so that no answer can make
 * them slow.
 */
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/
const DATA = /^0x[0-9a-f]*$/
const HASH = /^0x[0-9a-f]{64}$/
const ADDRESS = /^0x[0-9a-f]{40}$/

/**
 * A node answered something that is not an answer. Whatever else it said in the same breath is not
 * believed either.
 */
export class RpcInvalidAnswerError extends BaseError {
  override readonly name = 'RpcInvalidAnswerError'
  constructor(expected: string, got: unknown) {
    super('A chain node gave an invalid answer', { details: `expected ${expected}, got ${quote(got)}` })
  }
}

/**
 * Text is quoted only when it is short hex: an error page may repeat our URL, and that may hold a
 * credential.
 */
function quote(value: unknown): string {
  if (typeof value === 'string') return SHORT_HEX.test(value) ? value : `text of ${value.length} characters`
  return value === null ? 'null' : Array.isArray(value) ? `a list of ${value.length}` : typeof value
}

const SHORT_HEX = /^-?0x[0-9a-zA-Z]{0,130}$/
