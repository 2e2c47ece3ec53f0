import type { HolderAnalysis, HolderSell, KnownHolder } from './holders-report.js'
import type { HoldersFacts } from './sell-as-holders.js'

/** Adds up what became of the holders. `holders`: distinct accounts that were seen. */
export function analyseHolders(facts: HoldersFacts, holders: number): HolderAnalysis {
  const { sells, unfinished } = facts
  const through = sells.filter(({ outcome }) => outcome === 'sold')
  const refused = sells.filter(({ outcome }) => outcome === 'refused')
  const ruined = through.filter(isRuined)
  const sold = through.filter((sell) => !isRuined(sell))
  const taxes = through.flatMap(({ taxBps }) => taxBps ?? [])
  const harmed = [...refused, ...ruined]
  return {
    holders,
    tested: through.length + refused.length,
    successful: sold.length,
    ruined: ruined.length,
    failed: refused.length,
    siphoned: sells.filter(({ outcome }) => outcome === 'gone').length,
    averageTaxBps: taxes.length === 0 ? undefined : taxes.reduce((sum, tax) => sum + tax, 0) / taxes.length,
    highestTaxBps: taxes.length === 0 ? undefined : Math.max(...taxes),
    reasons: countReasons(harmed),
    distinction: findDistinction(sold, harmed),
    known: listKnown(facts),
    unfinished: unfinished || undefined,
  }
}

/** Half is the end of trading. Basis points. */
const RUIN_BPS = 5_000

const isRuined = ({ taxBps = 0 }: HolderSell) => taxBps >= RUIN_BPS

/** Each once, also where the pool is the token's own, as with a counter. */
function listKnown({ sells, supply, places = [] }: HoldersFacts): KnownHolder[] {
  const shareOf = (balance: bigint) =>
    supply === undefined || supply < balance || supply === 0n
      ? undefined
      : Number((balance * SHARE_STEPS) / supply) / 100
  const people = sells.map((sell): KnownHolder => {
    const { address, balance, outcome } = sell
    const sale = outcome === 'sold' && isRuined(sell) ? 'ruined' : outcome
    return {
      ...{ address, kind: outcome === 'contract' ? 'contract' : 'account', balance, shareBps: shareOf(balance) },
      sale: sale === 'sold' || sale === 'ruined' || sale === 'refused' ? sale : undefined,
    }
  })
  const others = places.map((place): KnownHolder => {
    return { ...place, shareBps: shareOf(place.balance), sale: undefined }
  })
  const all = new Map([...people, ...others].map((each) => [each.address, each]))
  return [...all.values()]
    .filter(({ balance }) => balance > 0n)
    .toSorted((a, b) => Number(b.balance > a.balance) - Number(b.balance < a.balance))
}

/** Hundredths of a basis point. */
const SHARE_STEPS = 1_000_000n

function countReasons(harmed: readonly HolderSell[]): { reason: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const sell of harmed) {
    const reason = sell.reason || `${Math.round((sell.taxBps ?? 0) / 100)} % were lost`
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count)
}

/**
 * A property that all who are refused or ruined have, and none who sold. The plainest first; with
 * one of a kind it would mean nothing.
 */
function findDistinction(sold: readonly HolderSell[], harmed: readonly HolderSell[]): string | undefined {
  if (harmed.length === 0) return undefined
  if (sold.length === 0) return harmed.length > 1 ? 'no holder that was tried can sell' : undefined
  if (sold.length < 2 || harmed.length < 2) return undefined
  const since = (sells: readonly HolderSell[]) => sells.map((sell) => sell.since)
  if (Math.min(...since(harmed)) > Math.max(...since(sold)))
    return `they came after ${isoTime(Math.max(...since(sold)))}`
  if (Math.max(...since(harmed)) < Math.min(...since(sold)))
    return `they came before ${isoTime(Math.min(...since(sold)))}`
  const balances = (sells: readonly HolderSell[]) => sells.map(({ balance }) => balance)
  if (least(balances(harmed)) > most(balances(sold))) return `they have more than ${most(balances(sold))} base units`
  if (most(balances(harmed)) < least(balances(sold))) return `they have less than ${least(balances(sold))} base units`
  return undefined
}

const isoTime = (seconds: number) => new Date(seconds * 1_000).toISOString()
const least = (values: readonly bigint[]) => ascending(values)[0] ?? 0n
const most = (values: readonly bigint[]) => ascending(values).at(-1) ?? 0n
const ascending = (values: readonly bigint[]) => values.toSorted((a, b) => Number(a > b) - Number(a < b))
