import { type Precompile, padded, toBigint, toBytes } from './precompile.js'

/** How the price follows from the sizes; the work is always the same. */
export interface ModexpPricing {
  /** From the larger of base and modulus, in bytes. */
  complexity(length: number): number
  /** Weight of each exponent byte behind the first 32. */
  exponentByteWeight: number
  divisor: number
  minimum: number
  /** EIP-7823: no length may be larger. */
  maxLength: number
}

const words = (length: number) => Math.ceil(length / 8)

/** EIP-198 */
export const byzantiumPricing: ModexpPricing = {
  complexity(length) {
    if (length <= 64) return length ** 2
    if (length <= 1_024) return Math.floor(length ** 2 / 4) + 96 * length - 3_072
    return Math.floor(length ** 2 / 16) + 480 * length - 199_680
  },
  exponentByteWeight: 8,
  divisor: 20,
  minimum: 0,
  maxLength: Number.POSITIVE_INFINITY,
}

/** EIP-2565 */
export const berlinPricing: ModexpPricing = {
  complexity: (length) => words(length) ** 2,
  exponentByteWeight: 8,
  divisor: 3,
  minimum: 200,
  maxLength: Number.POSITIVE_INFINITY,
}

/** EIP-7883 and EIP-7823 */
export const osakaPricing: ModexpPricing = {
  complexity: (length) => (length <= 32 ? 16 : 2 * words(length) ** 2),
  exponentByteWeight: 16,
  divisor: 1,
  minimum: 500,
  maxLength: 1_024,
}

/** 0x05: base^exponent mod modulus on numbers of any length. */
export function createModexp(pricing: ModexpPricing): Precompile {
  return {
    microsPerGas: 0.02,
    gas(input) {
      const { base, exponent, modulus } = lengths(input)
      if (Math.max(base, exponent, modulus) > pricing.maxLength) return Number.POSITIVE_INFINITY
      const complexity = pricing.complexity(Math.max(base, modulus))
      const head = toBigint(padded(input, 96 + base, Math.min(exponent, 32)))
      const headBits = head === 0n ? 0 : head.toString(2).length - 1
      const iterations = Math.max(
        exponent <= 32 ? headBits : pricing.exponentByteWeight * (exponent - 32) + headBits,
        1,
      )
      // An empty base and modulus cost nothing, however long the exponent.
      const cost = complexity === 0 ? 0 : Math.floor((complexity * iterations) / pricing.divisor)
      return Math.max(pricing.minimum, cost)
    },
    run(input, tick) {
      const { base, exponent, modulus } = lengths(input)
      if (Math.max(base, exponent, modulus) > pricing.maxLength) return undefined
      if (modulus === 0) return new Uint8Array(0)
      const result = power(
        toBigint(padded(input, 96, base)),
        toBigint(padded(input, 96 + base, exponent)),
        toBigint(padded(input, 96 + base + exponent, modulus)),
        tick,
      )
      return toBytes(result, modulus)
    },
  }
}

interface Lengths {
  base: number
  exponent: number
  modulus: number
}

/** Lengths above 2^53 lose their last digits, which no gas could pay for anyway. */
function lengths(input: Uint8Array): Lengths {
  const at = (index: number) => Number(toBigint(padded(input, index * 32, 32)))
  return { base: at(0), exponent: at(1), modulus: at(2) }
}

/** Multiplications between two looks at the clock. */
const TICK_ROUNDS = 256

function power(base: bigint, exponent: bigint, modulus: bigint, tick: () => void): bigint {
  if (modulus <= 1n) return 0n
  const bits = exponent === 0n ? '' : exponent.toString(2)
  let result = 1n
  const factor = base % modulus
  for (let index = 0; index < bits.length; index += 1) {
    result = (result * result) % modulus
    if (bits[index] === '1') result = (result * factor) % modulus
    if (index % TICK_ROUNDS === 0) tick()
  }
  return result
}
