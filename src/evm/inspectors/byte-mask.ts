import { shr, type Word } from '../word.js'

/** Which bytes of a word something holds for: bit 0 for the least significant byte. A signed 32-bit integer. */
export type ByteMask = number

export const FULL_MASK: ByteMask = -1

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
  let kept = 0
  for (let byte = 0; byte < 32; byte += 1) {
    if ((mask & (1 << byte)) !== 0 && shr(byte * 8, word, 0xff) !== 0) kept |= 1 << byte
  }
  return kept
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
