import type { Reports } from '../api/reports.js'
import { formatPercent } from '../format.js'

/** What most people look for first, in one row. */
export function KeyFigures({ reports: { simulation, honeypot } }: { reports: Reports }) {
  const simulate = simulation?.checks.simulateResult
  const trade = honeypot?.honeypotResponse
  const last = trade?.timeTravelResults.at(-1)
  const wasTraded = trade !== undefined && (trade.inconclusive === null || trade.isHoneypot)
  const figures = [
    { name: 'Buy tax', value: wasTraded ? formatPercent(trade.buyTax) : readTax(simulate?.buyTax) },
    { name: 'Sell tax', value: wasTraded ? formatPercent(trade.sellTax) : readTax(simulate?.sellTax) },
    { name: 'Sell tax in 7 days', value: wasTraded && last ? formatPercent(last.sellTax) : '–' },
    { name: 'Risk', value: trade && wasTraded ? `${Math.round(trade.riskScore)}` : '–', unit: 'of 100' },
    { name: 'Code', value: simulation?.checks.byteCodeResult.trustStatus ?? '–' },
    { name: 'Activity', value: simulation?.checks.transactionHistoryResult.activityPulse ?? 'Unknown' },
  ]
  return (
    <dl className="figures">
      {figures.map(({ name, value, unit }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {unit && value !== '–' && <small> {unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const readTax = (percent: string | null | undefined) => (percent == null ? '–' : formatPercent(Number(percent)))
