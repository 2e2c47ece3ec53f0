import type { Simulate } from '../api/reports.js'

/** Where the coins of the round trip went, in wei and as shares of what was spent. */
export interface MoneyFlow {
  spent: bigint
  returned: bigint
  /** In the order in which it was lost; they add up to one. */
  shares: { kind: 'returned' | 'buy-tax' | 'sell-tax' | 'market' | 'stuck'; share: number }[]
}

/**
 * Reads the flow from the transactions themselves: the first payment of native coin is the
 * purchase, and what the trader has less in the end did not come back. `undefined` when nothing was
 * bought.
 */
export function followMoney(simulate: Simulate): MoneyFlow | undefined {
  const payment = simulate.simulation.calls.find(({ value, error }) => error === undefined && toBigInt(value) > 0n)
  if (!payment || !simulate.venue) return undefined
  const spent = toBigInt(payment.value)
  const returned = clamp(spent + toBigInt(simulate.ethDelta), spent)
  const back = shareOf(returned, spent)
  if (simulate.isHoneypot || !simulate.success) {
    return {
      spent,
      returned,
      shares: [
        { kind: 'returned' as const, share: back },
        { kind: 'stuck' as const, share: 1 - back },
      ].filter(isThere),
    }
  }
  const lost = 1 - back
  const buyTax = Math.min(lost, Number(simulate.buyTax ?? 0) / 100)
  const sellTax = Math.min(lost - buyTax, (1 - buyTax) * (Number(simulate.sellTax ?? 0) / 100))
  const parts = [
    { kind: 'returned' as const, share: back },
    { kind: 'buy-tax' as const, share: buyTax },
    { kind: 'sell-tax' as const, share: sellTax },
    { kind: 'market' as const, share: lost - buyTax - sellTax },
  ]
  return { spent, returned, shares: parts.filter(isThere) }
}

/** Less than this is rounding. */
const isThere = ({ share }: { share: number }) => share > 0.0005

const toBigInt = (text: string) => (/^(0x[0-9a-f]+|-?\d+)$/i.test(text) ? BigInt(text) : 0n)
const clamp = (value: bigint, most: bigint) => (value < 0n ? 0n : value > most ? most : value)
/** Two steps, because a share needs no more than a millionth. */
const shareOf = (part: bigint, whole: bigint) => (whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000)
