import type { Honeypot } from '../api/reports.js'
import { formatAmount, formatCoins, formatPercent } from '../format.js'
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
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard */}
          {/* biome-ignore lint/a11y/useSemanticElements: a region that scrolls is no fieldset */}
          <div className="scroll" tabIndex={0} role="group" aria-label="Sales by size">
            <table>
              <thead>
                <tr>
                  <th scope="col">Sold at once</th>
                  <th scope="col">Of the pool</th>
                  <th scope="col">What becomes of it</th>
                  <th scope="col">Paid out</th>
                  <th scope="col">Tax</th>
                </tr>
              </thead>
              <tbody>
                {costs.map((cost) => (
                  <SizeRow key={cost.sale.amount} cost={cost} units={units} coin={coin} />
                ))}
              </tbody>
            </table>
          </div>
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

function SizeRow({ cost: { sale, shares }, units, coin }: { cost: SizeCost; units: TokenUnits; coin: string }) {
  return (
    <tr>
      <th scope="row">{sayTokens(sale.amount, units)}</th>
      <td>{formatPercent(sale.poolShare)}</td>
      <td className="size-bar">
        {shares ? (
          <span className="flow-bar" role="img" aria-label={describe(shares)}>
            {shares
              .filter(({ share }) => share > 0)
              .map(({ kind, share }) => (
                <span key={kind} data-kind={kind} style={{ flexGrow: share }} />
              ))}
          </span>
        ) : (
          <strong className="fails">The sale fails</strong>
        )}
      </td>
      <td>{sale.success ? `${formatCoins(BigInt(sale.received))} ${coin}` : '–'}</td>
      <td>{sale.tax === null ? '–' : formatPercent(sale.tax)}</td>
    </tr>
  )
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
