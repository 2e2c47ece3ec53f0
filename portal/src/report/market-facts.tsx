import type { Reports } from '../api/reports.js'
import { useChain } from '../chains.js'
import { readFacts } from './read-facts.js'

/** How many there are, since when, and where it is traded: as far as the answers carry it. */
export function MarketFacts({ reports, chain }: { reports: Reports; chain: string }) {
  const { coin } = useChain(chain)
  const facts = readFacts(reports, coin)
  if (facts.length === 0) return null
  return (
    <dl className="facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
