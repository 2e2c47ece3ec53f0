import type { Weighed } from './judge-mint.js'
import { whyThin } from './market-depth.js'
import { isNextToNothing, isValuable } from './quote-value.js'
import type { PoolReport } from './solana-report.js'

/** Less locked than this, and the rest can be taken out in one go. */
const LOCKED_BPS = 5_000

/** Whether there is a market, whether it is open, and whether its liquidity stays. */
export function judgePools(pools: readonly PoolReport[]): Weighed[] {
  const trading = pools.filter(({ pool }) => pool.status !== 'complete')
  const [main] = trading
  if (main === undefined)
    return [{ id: 'no-pool', detail: 'no pool of a known exchange holds any of the largest accounts' }]
  const found: Weighed[] = []
  const where = `${main.name} ${main.pool.address}`
  if (!isValuable(main.quoteMint)) {
    found.push({ id: 'no-pool', detail: `${where} is priced in ${main.quoteMint}, which is not a known token` })
  }
  if (main.pool.status !== 'open') found.push({ id: 'pool-closed', detail: `${where} is ${main.pool.status}` })
  if (main.isQuoteFrozen) {
    found.push({ id: 'quote-frozen', basis: 'observed', detail: `what ${where} pays with is frozen` })
  }
  const { quote } = main.reserves
  if (quote !== undefined && isNextToNothing(main.quoteMint, quote) && main.liquidity.kind !== 'curve') {
    found.push({ id: 'liquidity-gone', detail: `${where} holds ${quote} base units of ${main.quoteMint}` })
  }
  // Where nothing at all can be sold, that says it.
  const thin = found.every(({ id }) => id === 'no-pool') ? whyThin(trading) : ''
  if (thin !== '') found.push({ id: 'thin-market', detail: thin })
  return [...found, ...judgeLocks(trading.filter(({ quoteMint }) => quoteMint === main.quoteMint))]
}

/** Of all liquidity in one token: a small pool that is locked does not speak for a large one. */
function judgeLocks(pools: readonly PoolReport[]): Weighed[] {
  const known = pools.flatMap(({ lockedBps, reserves: { quote = 0n } }) =>
    lockedBps === undefined ? [] : [{ lockedBps, quote }],
  )
  const all = known.reduce((sum, { quote }) => sum + quote, 0n)
  const locked = known.reduce((sum, { quote, lockedBps }) => sum + quote * BigInt(lockedBps), 0n)
  if (all === 0n || locked >= all * BigInt(LOCKED_BPS)) return []
  const detail = `${Number(locked / all) / 100} % of the shares of ${pools.map(({ name, pool }) => `${name} ${pool.address}`).join(', ')} are locked or burnt`
  const free = pools.flatMap(({ positions }) => positions.filter(({ hold }) => hold === 'free'))
  const largest = free.sort((a, b) => b.shareBps - a.shareBps)[0]
  const who = largest?.owner ? `; ${largest.owner} can take out ${largest.shareBps / 100} % at once` : ''
  return [{ id: 'liquidity-not-locked', detail: detail + who }]
}
