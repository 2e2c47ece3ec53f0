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

/** As version 2 has it: sums are cut. */
export const NARROW_CUT: Readonly<Record<number, Operation>> = {
  ...NARROW,
  0: (a, b) => low(a + b),
  1: (a, b) => low(a - b),
}

const highest = (value: bigint) => wide(value >> 64n)

/**
 * Products, quotients and rests of version 2, by the high half of the code, and whether they are of
 * 64 bits. Division by nil, and of the least number by -1, ends a program.
 */
export const PRODUCTS: Readonly<Record<number, Operation>> = {
  3: (a, b) => highest(a * b),
  4: (a, b) => (low(b) === 0n ? 0n : low(a) / low(b)),
  5: (a, b) => (b === 0n ? 0n : a / b),
  6: (a, b) => (low(b) === 0n ? 0n : low(a) % low(b)),
  7: (a, b) => (b === 0n ? 0n : a % b),
  8: (a, b) => low(a * b),
  9: (a, b) => wide(a * b),
  11: (a, b) => highest(signed(a) * signed(b)),
  12: (a, b) => (low(b) === 0n ? 0n : low(signedLow(a) / signedLow(b))),
  13: (a, b) => (b === 0n ? 0n : wide(signed(a) / signed(b))),
  14: (a, b) => (low(b) === 0n ? 0n : low(signedLow(a) % signedLow(b))),
  15: (a, b) => (b === 0n ? 0n : wide(signed(a) % signed(b))),
}

/** Of these, what takes a constant without its sign. */
export const CUTS_CONSTANT: ReadonlySet<number> = new Set([3, 5, 7])

/** Of these, what ends a program when it is divided by nil. */
export const DIVIDES: ReadonlySet<number> = new Set([4, 5, 6, 7, 12, 13, 14, 15])

/** Whether a signed division has a result that does not fit. */
export const overflows = (high: number, a: bigint, b: bigint): boolean => {
  if (high < 12) return false
  const [left, right, least] =
    high % 2 === 0 ? [signedLow(a), signedLow(b), -(2n ** 31n)] : [signed(a), signed(b), -(2n ** 63n)]
  return left === least && right === -1n
}

/** The low half, with its sign. */
export const extendLow: Operation = (a) => wide(signedLow(a))

/** The constant in the upper half. */
export const orHigh: Operation = (a, b) => a | (low(b) << 32n)

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
