/** One hundred percent. */
export const FULL_BPS = 10_000

/**
 * What was kept back of `expected`, in basis points from 0 to 10,000, rounded to the nearest. A
 * payout above the expectation is no tax; nothing expected means nothing can be said.
 */
export function taxBps(expected: bigint, received: bigint): number | undefined {
  if (expected <= 0n) return undefined
  if (received >= expected) return 0
  if (received <= 0n) return FULL_BPS
  const doubled = (2n * (expected - received) * BigInt(FULL_BPS)) / expected
  return Number((doubled + 1n) / 2n)
}

/** Two taxes one after the other: what is left of what is left. */
export function chainTaxes(first: number | undefined, second: number | undefined): number | undefined {
  if (first === undefined || second === undefined) return first ?? second
  return FULL_BPS - Math.round(((FULL_BPS - first) * (FULL_BPS - second)) / FULL_BPS)
}
