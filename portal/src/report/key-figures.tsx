import type { Reports } from '../api/reports.js'
import { formatPercent } from '../format.js'

/** What most people look for first, in one row. */
export function KeyFigures({ reports: { simulation, honeypot } }: { reports: Reports }) {
  const simulate = simulation?.checks.simulateResult
  const trade = honeypot?.honeypotResponse
  const flags = simulation?.checks.byteCodeResult.riskFlags
  const last = trade?.timeTravelResults.at(-1)
  const wasTraded = trade !== undefined && (trade.inconclusive === null || trade.isHoneypot)
  const figures = [
    { name: 'Buy tax', value: wasTraded ? formatPercent(trade.buyTax) : readTax(simulate?.buyTax) },
    { name: 'Sell tax', value: wasTraded ? formatPercent(trade.sellTax) : readTax(simulate?.sellTax) },
    { name: 'Sell tax in 7 days', value: wasTraded && last ? formatPercent(last.sellTax) : '–' },
    { name: 'Findings in the code', value: flags === undefined ? '–' : `${flags.length}` },
    { name: 'Activity', value: simulation?.checks.transactionHistoryResult.activityPulse ?? 'Unknown' },
  ]
  return (
    <dl className="figures">
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const readTax = (percent: string | null | undefined) => (percent == null ? '–' : formatPercent(Number(percent)))
