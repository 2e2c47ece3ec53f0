import type { Honeypot } from '../api/reports.js'

export type SaleSize = Honeypot['saleSizes'][number]

/** What becomes of one sale, as shares of what it would bring at the price of the smallest one. */
export interface SizeCost {
  sale: SaleSize
  /** They add up to one; absent where the sale failed. */
  shares?: { kind: 'returned' | 'sell-tax' | 'market'; share: number }[]
}

/**
 * Takes apart what selling more costs: what the token keeps, and what the market pays less for
 * much. The smallest sale that went through says what the price was.
 */
export function costsOfSizes(sizes: readonly SaleSize[]): SizeCost[] {
  const least = sizes.find(({ success, received }) => success && received !== '0')
  const price = least && paidFor(least)
  return sizes.map((sale) => {
    if (!sale.success || price === undefined || price <= 0) return { sale }
    const worth = Math.min(1, paidFor(sale) / price)
    const tax = worth * taxOf(sale)
    const shares = [
      { kind: 'returned' as const, share: worth - tax },
      { kind: 'sell-tax' as const, share: tax },
      { kind: 'market' as const, share: 1 - worth },
    ]
    return { sale, shares }
  })
}

const taxOf = ({ tax }: SaleSize) => (tax ?? 0) / 100

/** By the market for one base unit, before the token kept anything. */
function paidFor(sale: SaleSize): number {
  const kept = taxOf(sale)
  return kept >= 1 ? 0 : Number(sale.received) / Number(sale.amount) / (1 - kept)
}
