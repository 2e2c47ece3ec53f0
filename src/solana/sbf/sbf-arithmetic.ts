import type { Operation } from './sbf-term.js'

const wide = (value: bigint) => BigInt.asUintN(64, value)
const signed = (value: bigint) => BigInt.asIntN(64, value)
const low = (value: bigint) => BigInt.asUintN(32, value)
const signedLow = (value: bigint) => BigInt.asIntN(32, value)

/**
 * Of two 64-bit words, by the high half of an instruction's code. Division by nil ends a program.
 */
export const WIDE: Readonly<Record<number, Operation>> = {
  0: (a, b) => wide(a + b),
  1: (a, b) => wide(a - b),
  2: (a, b) => wide(a * b),
  3: (a, b) => (b === 0n ? 0n : a / b),
  4: (a, b) => a | b,
  5: (a, b) => a & b,
  6: (a, b) => wide(a << (b & 63n)),
  7: (a, b) => a >> (b & 63n),
  8: (a) => wide(-a),
  9: (a, b) => (b === 0n ? a : a % b),
  10: (a, b) => a ^ b,
  12: (a, b) => wide(signed(a) >> (b & 63n)),
}

/** The same on the low halves; sums and products keep their sign in version 0. */
export const NARROW: Readonly<Record<number, Operation>> = {
  0: (a, b) => wide(signedLow(a + b)),
  1: (a, b) => wide(signedLow(a - b)),
  2: (a, b) => wide(signedLow(a * b)),
  3: (a, b) => (low(b) === 0n ? 0n : low(a) / low(b)),
  4: (a, b) => low(a | b),
  5: (a, b) => low(a & b),
  6: (a, b) => low(low(a) << (b & 31n)),
  7: (a, b) => low(a) >> (b & 31n),
  8: (a) => low(-a),
  9: (a, b) => (low(b) === 0n ? low(a) : low(a) % low(b)),
  10: (a, b) => low(a ^ b),
  12: (a, b) => low(signedLow(a) >> (b & 31n)),
}

const yes = (is: boolean) => (is ? 1n : 0n)

/** Whether a jump is taken. */
export const COMPARE: Readonly<Record<number, Operation>> = {
  1: (a, b) => yes(a === b),
  2: (a, b) => yes(a > b),
  3: (a, b) => yes(a >= b),
  4: (a, b) => yes((a & b) !== 0n),
  5: (a, b) => yes(a !== b),
  6: (a, b) => yes(signed(a) > signed(b)),
  7: (a, b) => yes(signed(a) >= signed(b)),
  10: (a, b) => yes(a < b),
  11: (a, b) => yes(a <= b),
  12: (a, b) => yes(signed(a) < signed(b)),
  13: (a, b) => yes(signed(a) <= signed(b)),
}

/** The bytes in the other order, of the low `bits`. */
export const swapBytes = (bits: bigint): Operation => {
  return (value) => {
    let swapped = 0n
    for (let at = 0n; at < bits; at += 8n) swapped = (swapped << 8n) | ((value >> at) & 0xffn)
    return swapped
  }
}

export const cutTo =
  (bits: number): Operation =>
  (value) =>
    BigInt.asUintN(bits, value)

/**
 * As `memcmp`: the difference of the first bytes that differ, of values whose first byte is lowest.
 */
export const firstDifference: Operation = (a, b) => {
  if (a === b) return 0n
  let at = 0n
  while (((a >> at) & 0xffn) === ((b >> at) & 0xffn)) at += 8n
  return low(((a >> at) & 0xffn) - ((b >> at) & 0xffn))
}
