/** `0x`-prefixed hexadecimal text, lower case wherever this project makes it. */
export type Hex = `0x${string}`

/**
 * A 20-byte account address as lower-case {@link Hex}. Checksummed spellings exist only at the
 * edges.
 */
export type Address = Hex

/** The bits of the machine's word, and those of it that are an address. */
export const WORD_MASK = (1n << 256n) - 1n
export const ADDRESS_MASK = (1n << 160n) - 1n

export const ZERO_ADDRESS: Address = '0x0000000000000000000000000000000000000000'

/** keccak-256 of no bytes: the code hash of an account without code (EIP-1052). */
export const EMPTY_CODE_HASH: Hex = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** Writes a non-negative integer as a JSON-RPC quantity: `0x0`, `0x1f`, never padded. */
export function toQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/**
 * Writes a non-negative integer as exactly `bytes` big-endian bytes of hex. Larger values are a
 * programming error.
 */
export function toPaddedHex(value: bigint, bytes: number): Hex {
  const digits = value.toString(16)
  if (digits.length > bytes * 2) throw new RangeError(`0x${digits} does not fit into ${bytes} bytes`)
  return `0x${digits.padStart(bytes * 2, '0')}`
}

/** The low 20 bytes of a word as an address. */
export function wordToAddress(word: bigint): Address {
  return `0x${(word & ADDRESS_MASK).toString(16).padStart(40, '0')}`
}

export function bytesToHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** Reads whole bytes of hex. Throws on odd length or on a character that is no hex digit. */
export function hexToBytes(hex: string): Uint8Array {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex
  const bytes = new Uint8Array(Math.floor(digits.length / 2))
  // It ends at the first character that is no digit.
  const written = Buffer.from(bytes.buffer).write(digits, 'hex')
  if (written * 2 !== digits.length) throw new RangeError('not whole bytes of hex')
  return bytes
}
