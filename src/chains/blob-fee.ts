import type { Chain } from './chain.js'

/** EIP-4844: the least a unit of blob gas costs, in wei. */
const MIN_BLOB_BASE_FEE = 1n

/** What BLOBBASEFEE answers in a block, in wei: by the chain's schedule at the block's second. */
export function blobBaseFeeAt(
  { blobSchedule = [] }: Pick<Chain, 'blobSchedule'>,
  timestamp: bigint,
  excessBlobGas: bigint | undefined,
): bigint {
  const rule = blobSchedule.findLast(({ since }) => BigInt(since) <= timestamp)
  if (rule === undefined || excessBlobGas === undefined) return MIN_BLOB_BASE_FEE
  return fakeExponential(excessBlobGas, rule.updateFraction)
}

/**
 * EIP-4844's `fake_exponential(1, excess, fraction)`. Bounded: the terms shrink as soon as `i`
 * passes the exponent.
 */
export function fakeExponential(excess: bigint, fraction: bigint): bigint {
  let sum = 0n
  let term = MIN_BLOB_BASE_FEE * fraction
  for (let i = 1n; term > 0n && i < MAX_TERMS; i += 1n) {
    sum += term
    term = (term * excess) / (fraction * i)
  }
  return sum / fraction
}

/** An honest header needs some dozens; a lying one must not hold us. */
const MAX_TERMS = 1_000n
