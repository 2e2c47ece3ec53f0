import type { Honeypot } from '../api/reports.js'
import { formatAmount, formatCoins, formatPercent } from '../format.js'
import { type FactRow, FactTable } from '../parts/fact-table.js'
import type { TokenUnits } from './condition-words.js'
import { costsOfSizes, type SizeCost } from './size-costs.js'

const PART_NAMES = {
  returned: 'is paid out',
  'sell-tax': 'the token keeps',
  market: 'the price gives way',
} as const

const PARTS = ['returned', 'sell-tax', 'market'] as const

/** Those that one of the bars shows. */
const partsIn = (costs: readonly SizeCost[]) =>
  PARTS.filter((kind) => costs.some(({ shares }) => shares?.some((part) => part.kind === kind && part.share > 0)))

/** What selling little and selling much comes to: bars for the eye, a table for all readers. */
export function SizeChart({ trade, units, coin }: { trade: Honeypot; units: TokenUnits; coin: string }) {
  const costs = costsOfSizes(trade.saleSizes ?? [])
  return (
    <>
      {costs.length > 0 && (
        <>
          <FactTable
            label="Sales by size"
            rows={costs.map((cost) => ({ key: cost.sale.amount, cells: cellsOf(cost, units, coin) }))}
          />
          <ul className="flow-legend">
            {partsIn(costs).map((kind) => (
              <li key={kind}>
                <i className="key" data-kind={kind} aria-hidden="true" /> {PART_NAMES[kind]}
              </li>
            ))}
          </ul>
        </>
      )}
      <Limits trade={trade} units={units} coin={coin} />
    </>
  )
}

function cellsOf({ sale, shares }: SizeCost, units: TokenUnits, coin: string): FactRow['cells'] {
  return {
    'Sold at once': sayTokens(sale.amount, units),
    'Of the pool': formatPercent(sale.poolShare),
    'What becomes of it': shares ? (
      <span className="flow-bar size-bar" role="img" aria-label={describe(shares)}>
        {shares
          .filter(({ share }) => share > 0)
          .map(({ kind, share }) => (
            <span key={kind} data-kind={kind} style={{ flexGrow: share }} />
          ))}
      </span>
    ) : (
      <strong className="fails">The sale fails</strong>
    ),
    'Paid out': sale.success ? `${formatCoins(BigInt(sale.received))} ${coin}` : '–',
    Tax: sale.tax === null ? '–' : formatPercent(sale.tax),
  }
}

const describe = (shares: NonNullable<SizeCost['shares']>) =>
  shares.map(({ kind, share }) => `${formatPercent(share * 100)} ${PART_NAMES[kind]}`).join(', ')

/** The most that one transaction may move, where a limit was met. */
function Limits({ trade: { maxBuy, maxSell }, units, coin }: { trade: Honeypot; units: TokenUnits; coin: string }) {
  if (maxBuy == null && maxSell == null) return null
  return (
    <p className="note">
      {maxBuy != null && `One transaction can buy for ${formatCoins(BigInt(maxBuy))} ${coin} at most. `}
      {maxSell != null && `One transaction can sell ${sayTokens(maxSell, units)} at most.`}
    </p>
  )
}

/** Whole tokens where the token says what one is. */
export function sayTokens(amount: string, { symbol, decimals }: TokenUnits): string {
  return decimals === null ? `${amount} base units` : `${formatAmount(BigInt(amount), decimals)} ${symbol}`.trim()
}
