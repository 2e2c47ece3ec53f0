import type { Reports } from '../api/reports.js'
import { useChain } from '../chains.js'
import { formatAge, formatAmount, formatCoins, formatCount } from '../format.js'

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

interface Fact {
  name: string
  value: string
}

/** Each fact in words; what is not known is left out. */
export function readFacts({ simulation, honeypot }: Reports, coin: string): Fact[] {
  const token = simulation?.token ?? honeypot?.token
  const trade = honeypot?.honeypotResponse
  const history = simulation?.checks.transactionHistoryResult.summary
  const now = simulation?.block.timestamp
  const facts: (Fact | undefined)[] = [
    token && token.totalSupply !== null
      ? { name: 'Supply', value: supplyOf(token.totalSupply, token.decimals, token.symbol) }
      : undefined,
    history?.firstMintDate && now ? { name: 'First minted', value: formatAge(history.firstMintDate, now) } : undefined,
    trade?.venue ? { name: 'Market', value: trade.venue } : undefined,
    trade?.liquidity
      ? { name: 'In the pool', value: `${formatCoins(BigInt(trade.liquidity.native))} ${coin}` }
      : undefined,
    trade?.holderAnalysis && trade.holderAnalysis.tested > 0
      ? {
          name: 'Holders who could sell',
          value: `${formatCount(trade.holderAnalysis.successful)} of ${formatCount(trade.holderAnalysis.tested)} tried`,
        }
      : undefined,
  ]
  return facts.filter((fact) => fact !== undefined)
}

function supplyOf(units: string, decimals: number | null, symbol: string): string {
  if (decimals === null) return `${formatCount(units)} base units`
  return `${formatAmount(BigInt(units), decimals)} ${symbol}`.trim()
}
