import type { HolderAnalysis, HolderSell } from './report.js'
import type { HoldersFacts } from './sell-as-holders.js'

/** Adds up what became of the holders. `holders`: distinct accounts that were seen. */
export function analyseHolders({ sells, unfinished }: HoldersFacts, holders: number): HolderAnalysis {
  const sold = sells.filter(({ outcome }) => outcome === 'sold')
  const refused = sells.filter(({ outcome }) => outcome === 'refused')
  const taxes = sold.flatMap(({ taxBps }) => taxBps ?? [])
  return {
    holders,
    tested: sold.length + refused.length,
    successful: sold.length,
    failed: refused.length,
    siphoned: sells.filter(({ outcome }) => outcome === 'gone').length,
    averageTaxBps: taxes.length === 0 ? undefined : taxes.reduce((sum, tax) => sum + tax, 0) / taxes.length,
    highestTaxBps: taxes.length === 0 ? undefined : Math.max(...taxes),
    reasons: countReasons(refused),
    distinction: findDistinction(sold, refused),
    unfinished: unfinished || undefined,
  }
}

function countReasons(refused: readonly HolderSell[]): { reason: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { reason } of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count)
}

/** A property that all who are refused have, and nobody who sold. The plainest first; with one of a kind it would mean nothing. */
function findDistinction(sold: readonly HolderSell[], refused: readonly HolderSell[]): string | undefined {
  if (refused.length === 0) return undefined
  if (sold.length === 0) return refused.length > 1 ? 'nobody who was tried can sell' : undefined
  if (sold.length < 2 || refused.length < 2) return undefined
  const since = (sells: readonly HolderSell[]) => sells.map((sell) => sell.since)
  if (Math.min(...since(refused)) > Math.max(...since(sold)))
    return `they came after ${isoTime(Math.max(...since(sold)))}`
  if (Math.max(...since(refused)) < Math.min(...since(sold)))
    return `they came before ${isoTime(Math.min(...since(sold)))}`
  const balances = (sells: readonly HolderSell[]) => sells.map(({ balance }) => balance)
  if (least(balances(refused)) > most(balances(sold))) return `they have more than ${most(balances(sold))} base units`
  if (most(balances(refused)) < least(balances(sold))) return `they have less than ${least(balances(sold))} base units`
  return undefined
}

const isoTime = (seconds: number) => new Date(seconds * 1_000).toISOString()
const least = (values: readonly bigint[]) => ascending(values)[0] ?? 0n
const most = (values: readonly bigint[]) => ascending(values).at(-1) ?? 0n
const ascending = (values: readonly bigint[]) => values.toSorted((a, b) => Number(a > b) - Number(a < b))
