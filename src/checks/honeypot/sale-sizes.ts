import { sell, type TradeContext } from '../../dex/legs.js'
import { onBranch } from '../on-branch.js'

/** One sale of a large holding, made alone. */
export interface SaleSize {
  /** Base units. */
  amount: bigint
  /** Of the tokens that stand behind the pool's price. Basis points with fractions. */
  poolShareBps: number
  success: boolean
  /** `undefined` where the pool kept no account. */
  taxBps: number | undefined
  /** Wei that the seller got, without gas. */
  received: bigint
}

/** What is sold of a holding: what moves the price hardly at all, and what moves it most. */
const PARTS = [100n, 20n, 5n, 2n, 1n]

/**
 * What selling little and selling much of `held` comes to. The trader has approved them. Leaves the
 * fork as it was.
 */
export function measureSizes(context: TradeContext, held: bigint): SaleSize[] {
  const { tokenReserve } = context.market.pool
  if (tokenReserve <= 0n) return []
  const amounts = PARTS.map((part) => held / part).filter((amount) => amount > 0n)
  return [...new Set(amounts)].map((amount) => {
    const { success, taxBps, nativeDelta } = onBranch(context, () => sell(context, amount))
    const poolShareBps = Number((amount * SHARE_STEPS) / tokenReserve) / 100
    return { amount, poolShareBps, success, taxBps, received: nativeDelta > 0n ? nativeDelta : 0n }
  })
}

/** Hundredths of a basis point. */
const SHARE_STEPS = 1_000_000n
