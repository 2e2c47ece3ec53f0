/**
 * The fees that Uniswap's front end offers for pools without hooks, each with the tick spacing that
 * it had on V3.
 */
export const UNISWAP_V4_TIERS = [
  { fee: 3_000, tickSpacing: 60 },
  { fee: 10_000, tickSpacing: 200 },
  { fee: 500, tickSpacing: 10 },
  { fee: 100, tickSpacing: 1 },
]
