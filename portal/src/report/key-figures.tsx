import type { Reports } from '../api/reports.js'
import { formatPercent } from '../format.js'
import { sayTax, tradedWindows, whyNotTraded } from './traded-windows.js'

/** What most people look for first, in one row. */
export function KeyFigures({ reports: { simulation, honeypot } }: { reports: Reports }) {
  if (!simulation && !honeypot) return null
  const simulate = simulation?.checks.simulateResult
  const trade = honeypot?.honeypotResponse
  const code = simulation?.checks.byteCodeResult
  const traded = trade === undefined ? [] : tradedWindows(trade)
  const [now, last] = [traded[0], traded.find(({ label }) => label === '7 Days')]
  const taxes = [
    { name: 'Buy tax', value: now ? sayTax(now.buyTax, now) : readTax(simulate?.buyTax) },
    { name: 'Sell tax', value: now ? sayTax(now.sellTax, now) : readTax(simulate?.sellTax) },
    { name: 'Sell tax in 7 days', value: last ? sayTax(last.sellTax, last) : '–' },
  ]
  const isTraded = trade === undefined || whyNotTraded(trade, honeypot?.token ?? null) === undefined
  const figures = [
    ...(isTraded ? taxes : []),
    { name: 'Findings in the code', value: code?.isContract ? `${code.riskFlags.length}` : '–' },
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
