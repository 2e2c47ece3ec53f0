/**
 * A 256-bit value in its one canonical form: a number up to 2^53-1, a bigint above. So two words
 * are equal exactly when `===` says so, a word can be the key of a Map, and most of the arithmetic
 * of real contracts is arithmetic on machine numbers.
 */
export type Word = number | bigint

export const MAX_SAFE = Number.MAX_SAFE_INTEGER
const MAX_SAFE_BIG = BigInt(MAX_SAFE)
export const TWO_32 = 0x1_0000_0000
const TWO_160 = 1n << 160n
const TWO_255 = 1n << 255n
export const TWO_256 = 1n << 256n
const MAX_256 = TWO_256 - 1n
const MASK_160 = TWO_160 - 1n

/** Small bigints, made once: converting a number costs as much as the operation it is for. */
const SMALL = Array.from({ length: 257 }, (_, value) => BigInt(value))
const shiftBy = (bits: number) => SMALL[bits] as bigint

function toBigint(word: Word): bigint {
  if (typeof word !== 'number') return word
  return word <= 256 ? (SMALL[word] as bigint) : BigInt(word)
}

/** Brings a non-negative bigint below 2^256 to canonical form. */
export function toWord(value: bigint): Word {
  return value <= MAX_SAFE_BIG ? Number(value) : value
}

/** Keeps the low 160 bits: how the EVM reads an address from the stack. */
export function toAddressWord(word: Word): Word {
  if (typeof word === 'number' || word < TWO_160) return word
  return toWord(word & MASK_160)
}

function wrap(value: bigint): Word {
  return toWord(BigInt.asUintN(256, value))
}

function toSigned(word: Word): bigint {
  return typeof word === 'number' ? BigInt(word) : word >= TWO_255 ? word - TWO_256 : word
}

export function add(a: Word, b: Word): Word {
  const sum = toBigint(a) + toBigint(b)
  return sum < TWO_256 ? toWord(sum) : toWord(sum - TWO_256)
}

export function sub(a: Word, b: Word): Word {
  const difference = toBigint(a) - toBigint(b)
  return difference < 0n ? toWord(difference + TWO_256) : toWord(difference)
}

export function mul(a: Word, b: Word): Word {
  if (a === 0 || b === 0) return 0
  const product = toBigint(a) * toBigint(b)
  return product < TWO_256 ? toWord(product) : wrap(product)
}

export function div(a: Word, b: Word): Word {
  if (b === 0) return 0
  // Canonical form: a bigint is larger than any number.
  if (typeof a === 'number') return typeof b === 'number' ? Math.floor(a / b) : 0
  return toWord(a / toBigint(b))
}

export function mod(a: Word, b: Word): Word {
  if (b === 0) return 0
  if (typeof a === 'number') return typeof b === 'number' ? a % b : a
  return toWord(a % toBigint(b))
}

export function sdiv(a: Word, b: Word): Word {
  if (b === 0) return 0
  return wrap(toSigned(a) / toSigned(b))
}

export function smod(a: Word, b: Word): Word {
  if (b === 0) return 0
  return wrap(toSigned(a) % toSigned(b))
}

export function addmod(a: Word, b: Word, modulus: Word): Word {
  if (modulus === 0) return 0
  return toWord((toBigint(a) + toBigint(b)) % toBigint(modulus))
}

export function mulmod(a: Word, b: Word, modulus: Word): Word {
  if (modulus === 0) return 0
  return toWord((toBigint(a) * toBigint(b)) % toBigint(modulus))
}

/**
 * Bits in which a number's power surely stays below 2^256, so that the plain operator is exact and
 * cheap.
 */
const POWER_BITS = 256

export function exp(base: Word, exponent: Word): Word {
  if (exponent === 0) return 1
  if (base === 0 || base === 1) return base
  if (base === 2) return typeof exponent === 'number' && exponent < 256 ? toWord(1n << shiftBy(exponent)) : 0
  if (typeof exponent === 'number' && bitLength(base) * exponent <= POWER_BITS)
    return toWord(BigInt(base) ** BigInt(exponent))
  let square = BigInt(base)
  // Every factor two of an even base is shifted out at the top.
  if ((square & 1n) === 0n && exponent > 255) return 0
  let result = 1n
  for (let rest = BigInt(exponent); rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = BigInt.asUintN(256, result * square)
    square = BigInt.asUintN(256, square * square)
  }
  return toWord(result)
}

/** Extends the sign of a value that is `index + 1` bytes wide. */
export function signExtend(index: Word, value: Word): Word {
  if (typeof index !== 'number' || index > 30) return value
  return wrap(BigInt.asIntN(index * 8 + 8, BigInt(value)))
}

export function lessThan(a: Word, b: Word): boolean {
  if (typeof a === 'number') return typeof b === 'number' ? a < b : true
  return typeof b === 'number' ? false : a < b
}

export function signedLessThan(a: Word, b: Word): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b
  return toSigned(a) < toSigned(b)
}

export function and(a: Word, b: Word): Word {
  if (typeof a === 'number') return typeof b === 'number' ? andNumbers(a, b) : Number(BigInt.asUintN(53, b) & BigInt(a))
  if (typeof b === 'number') return Number(BigInt.asUintN(53, a) & BigInt(b))
  // Solidity masks every address it touches, nearly always one that needs no masking.
  if (b === MASK_160 && a < TWO_160) return a
  if (a === MASK_160 && b < TWO_160) return b
  return toWord(a & b)
}

function andNumbers(a: number, b: number): number {
  const high = ((a / TWO_32) & (b / TWO_32)) >>> 0
  return high * TWO_32 + ((a & b) >>> 0)
}

export function or(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    return (((a / TWO_32) | (b / TWO_32)) >>> 0) * TWO_32 + ((a | b) >>> 0)
  }
  if (a === 0) return b
  if (b === 0) return a
  return toWord(toBigint(a) | toBigint(b))
}

export function xor(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    return (((a / TWO_32) ^ (b / TWO_32)) >>> 0) * TWO_32 + ((a ^ b) >>> 0)
  }
  return toWord(toBigint(a) ^ toBigint(b))
}

export function not(a: Word): Word {
  return typeof a === 'number' ? MAX_256 - toBigint(a) : toWord(MAX_256 - a)
}

/** The byte at `index`, 0 being the most significant. */
export function byte(index: Word, value: Word): Word {
  if (typeof index !== 'number' || index > 31) return 0
  return shr(248 - index * 8, value, 0xff)
}

export function shl(bits: Word, value: Word): Word {
  if (typeof bits !== 'number' || bits > 255 || value === 0) return 0
  if (bits === 0) return value
  return wrap(BigInt(value) << shiftBy(bits))
}

/** Shifts right; `mask` keeps the low bits of the result and must be below 2^31. */
export function shr(bits: Word, value: Word, mask?: number): Word {
  if (typeof bits !== 'number' || bits > 255) return 0
  const shifted = typeof value === 'number' ? Math.floor(value / 2 ** bits) : toWord(value >> shiftBy(bits))
  if (mask === undefined) return shifted
  return typeof shifted === 'number' ? shifted & mask : Number(BigInt.asUintN(32, shifted)) & mask
}

export function sar(bits: Word, value: Word): Word {
  if (typeof value === 'number' || value < TWO_255) return shr(bits, value)
  if (typeof bits !== 'number' || bits > 255) return MAX_256
  return toWord((value >> shiftBy(bits)) | (MAX_256 ^ (MAX_256 >> shiftBy(bits))))
}

/** Leading zero bits, 256 for zero (EIP-7939). */
export function countLeadingZeros(value: Word): number {
  return 256 - bitLength(value)
}

export function bitLength(value: Word): number {
  if (typeof value === 'bigint') return value.toString(16).length * 4 - (Math.clz32(leadingDigit(value)) - 28)
  const high = Math.floor(value / TWO_32)
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(value)
}

function leadingDigit(value: bigint): number {
  return Number.parseInt(value.toString(16).charAt(0), 16)
}

export function byteLength(value: Word): number {
  return Math.ceil(bitLength(value) / 8)
}

/** Reads 32 big-endian bytes. */
export function readWord(view: DataView, offset: number): Word {
  const top = view.getUint32(offset) | view.getUint32(offset + 4) | view.getUint32(offset + 8)
  const middle = view.getUint32(offset + 12) | view.getUint32(offset + 16) | view.getUint32(offset + 20)
  const high = view.getUint32(offset + 24)
  if ((top | middle) === 0 && high < 0x20_0000) return high * TWO_32 + view.getUint32(offset + 28)
  const low = (view.getBigUint64(offset + 16) << 64n) | view.getBigUint64(offset + 24)
  if (top === 0) return (BigInt(view.getUint32(offset + 12)) << 128n) | low
  return (((view.getBigUint64(offset) << 64n) | view.getBigUint64(offset + 8)) << 128n) | low
}

/** Writes 32 big-endian bytes. */
export function writeWord(view: DataView, offset: number, word: Word): void {
  if (typeof word === 'number') {
    // A float zero is eight zero bytes, written in one go.
    view.setFloat64(offset, 0)
    view.setFloat64(offset + 8, 0)
    view.setFloat64(offset + 16, 0)
    view.setUint32(offset + 24, word / TWO_32)
    view.setUint32(offset + 28, word >>> 0)
    return
  }
  view.setBigUint64(offset + 24, BigInt.asUintN(64, word))
  view.setBigUint64(offset + 16, BigInt.asUintN(64, word >> 64n))
  view.setBigUint64(offset + 8, BigInt.asUintN(64, word >> 128n))
  view.setBigUint64(offset, word >> 192n)
}

/** Reads up to 32 bytes as one big-endian value. */
export function wordFromBytes(bytes: Uint8Array): Word {
  if (bytes.length === 0) return 0
  return toWord(BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`))
}

/** Reads 32 bytes of which only the first are there; the others are zero. */
export function wordFromPrefix(bytes: Uint8Array): Word {
  const whole = new Uint8Array(32)
  whole.set(bytes)
  return wordFromBytes(whole)
}

/** 32 big-endian bytes of `word`. */
export function wordToBytes(word: Word): Uint8Array {
  const bytes = new Uint8Array(32)
  writeWord(new DataView(bytes.buffer), 0, word)
  return bytes
}
