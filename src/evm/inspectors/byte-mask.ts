import { bitLength, type Word } from '../../instructions/word.js'

/**
 * Which bytes of a word something holds for: bit 0 for the least significant byte. A signed 32-bit
 * integer.
 */
export type ByteMask = number

export const FULL_MASK: ByteMask = -1

const ALL_OF_ADDRESS = (1n << 160n) - 1n
const ADDRESS_MASK: ByteMask = (1 << 20) - 1

/** The lowest `bytes` bytes. */
export function maskOf(bytes: number): ByteMask {
  return bytes >= 32 ? FULL_MASK : (1 << bytes) - 1
}

/** All bytes from the lowest marked one up: where a carry can go. */
export function extendUp(mask: ByteMask): ByteMask {
  return mask === 0 ? 0 : -(mask & -mask) | 0
}

/** All bytes from the highest marked one down. */
export function extendDown(mask: ByteMask): ByteMask {
  return mask === 0 ? 0 : FULL_MASK >>> Math.clz32(mask) || FULL_MASK
}

/** What is left of the marked bytes when `word` is laid over them. */
export function and(mask: ByteMask, word: Word): ByteMask {
  // Solidity masks every address it touches.
  if (word === ALL_OF_ADDRESS) return mask & ADDRESS_MASK
  let kept = 0
  for (let byte = 0; byte < 32; byte += 4) {
    const marked = (mask >>> byte) & 0b1111
    if (marked !== 0) kept |= (marked & nonZeroBytes(bitsFrom(word, byte * 8))) << byte
  }
  return kept
}

/** The 32 bits of the word from bit `from` on. */
function bitsFrom(word: Word, from: number): number {
  if (typeof word === 'bigint') return Number(BigInt.asUintN(32, word >> BigInt(from)))
  return from < 64 ? Math.floor(word / 2 ** from) >>> 0 : 0
}

function nonZeroBytes(bits: number): ByteMask {
  return (
    ((bits & 0xff) !== 0 ? 1 : 0) |
    ((bits & 0xff00) !== 0 ? 2 : 0) |
    ((bits & 0xff0000) !== 0 ? 4 : 0) |
    (bits >>> 24 !== 0 ? 8 : 0)
  )
}

/** Which power of two a word is, if it is one. */
export function powerOfTwo(word: Word): number | undefined {
  if (word === 0) return undefined
  const bits = bitLength(word) - 1
  const isPower = typeof word === 'number' ? 2 ** bits === word : (word & (word - 1n)) === 0n
  return isPower ? bits : undefined
}

/** Moves the marks with the bits; where a byte is split, both of its parts stay marked. */
export function shiftLeft(mask: ByteMask, bits: Word): ByteMask {
  if (typeof bits !== 'number' || bits >= 256) return 0
  const bytes = Math.floor(bits / 8)
  const whole = bytes === 0 ? mask : bytes >= 32 ? 0 : mask << bytes
  return bits % 8 === 0 ? whole : whole | (whole << 1)
}

export function shiftRight(mask: ByteMask, bits: Word): ByteMask {
  if (typeof bits !== 'number' || bits >= 256) return 0
  const bytes = Math.floor(bits / 8)
  const whole = bytes === 0 ? mask : mask >>> bytes
  return bits % 8 === 0 ? whole | 0 : whole | (whole >>> 1) | 0
}
