import type { Reports } from '../api/reports.js'
import { formatAge, formatAmount, formatCoins, formatCount } from '../format.js'
import { type MarketView, readMarket } from './market-view.js'

interface Fact {
  name: string
  value: string
}

/** Each fact in words; what is not known is left out. */
export function readFacts(reports: Reports, coin: string): Fact[] {
  const { simulation, honeypot } = reports
  const token = simulation?.token ?? honeypot?.token
  const trade = honeypot?.honeypotResponse
  const history = simulation?.checks.transactionHistoryResult.summary
  const now = simulation?.block.timestamp
  const market = readMarket(reports, coin)
  const reserve = trade?.liquidity
    ? `${formatCoins(BigInt(trade.liquidity.native))} ${coin}`
    : market?.pools.find(({ isJudged }) => isJudged)?.reserve
  const facts: (Fact | undefined)[] = [
    market?.price ? { name: 'One costs', value: market.price } : undefined,
    token && token.totalSupply !== null
      ? { name: 'Supply', value: supplyOf(token.totalSupply, token.decimals, token.symbol) }
      : undefined,
    ageOf(trade?.origin?.timestamp ?? null, history?.firstMintDate ?? null, now),
    trade?.venue ? { name: 'Market', value: venueOf(trade.venue, market) } : undefined,
    reserve ? { name: 'In the pool', value: reserve } : undefined,
    trade?.holderAnalysis && trade.holderAnalysis.tested > 0
      ? {
          name: 'Holders who could sell',
          value: `${formatCount(trade.holderAnalysis.successful)} of ${formatCount(trade.holderAnalysis.tested)} tried`,
        }
      : undefined,
  ]
  return facts.filter((fact) => fact !== undefined)
}

/** Since it was made; where that is not known, since its first mint in sight. */
function ageOf(made: string | null, minted: string | null, now: string | undefined): Fact | undefined {
  if (now === undefined) return undefined
  if (made !== null) return { name: 'Made', value: formatAge(made, now) }
  return minted === null ? undefined : { name: 'First minted', value: formatAge(minted, now) }
}

function venueOf(venue: string, market: MarketView | undefined): string {
  const others = market ? market.pools.length + market.omitted - 1 : 0
  return others > 0 ? `${venue} and ${others === 1 ? 'one more pool' : `${formatCount(others)} more pools`}` : venue
}

function supplyOf(units: string, decimals: number | null, symbol: string): string {
  if (decimals === null) return `${formatCount(units)} base units`
  return `${formatAmount(BigInt(units), decimals)} ${symbol}`.trim()
}
