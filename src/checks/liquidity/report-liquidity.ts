import type { LiquidityHolder, LiquidityReport } from './liquidity-report.js'
import { DAY_MS, type HoldersFacts, type PoolFacts } from './measure-liquidity.js'

const FULL_BPS = 10_000
/** Shares are measured with rounding, and fees that were not collected have no owner. */
const ROUNDING_BPS = 50

/** Adds the stakes up. `isWhole`: all accounts that were ever given a part were seen. */
export function reportLiquidity(
  { venue, pool, depth, now, isKnownKind }: Omit<PoolFacts, 'stakes'>,
  { holders: tried, unfinished }: HoldersFacts,
  isWhole: boolean,
): LiquidityReport {
  const holders = mergeByAddress(tried)
  const sum = (isCounted: (holder: LiquidityHolder) => boolean) =>
    Math.min(
      FULL_BPS,
      holders.filter(isCounted).reduce((total, { shareBps }) => total + shareBps, 0),
    )
  const untold = ({ kind, withdrawableAt }: LiquidityHolder) => kind === 'contract' && withdrawableAt === undefined
  const missing = FULL_BPS - sum(() => true)
  const unknownBps = sum(untold) + (missing > ROUNDING_BPS ? missing : 0)
  const by = (ms: number) =>
    sum(({ withdrawableAt }) => withdrawableAt !== undefined && withdrawableAt <= now + ms / 1_000)
  const why = isKnownKind ? '' : `who provides liquidity on ${venue} is not read`
  return {
    ...{ venue, pool, depth, holders, unknownBps },
    burntBps: sum(({ kind }) => kind === 'burnt'),
    lockedBps: sum(({ kind }) => kind === 'locker'),
    unlocks: holders.flatMap(({ kind, shareBps, withdrawableAt }) =>
      kind === 'locker' && withdrawableAt !== undefined ? [{ timestamp: withdrawableAt, shareBps }] : [],
    ),
    withdrawableBps: { now: by(0), in24h: by(DAY_MS), in7d: by(7 * DAY_MS) },
    unfinished:
      why || unfinished || (unknownBps > 0 && !isWhole ? 'the node did not tell of every provider' : undefined),
  }
}

/** An account with several positions counts once. The soonest withdrawal counts for all. */
function mergeByAddress(holders: readonly LiquidityHolder[]): LiquidityHolder[] {
  const merged = new Map<string, LiquidityHolder>()
  for (const holder of holders) {
    const key = `${holder.address}:${holder.withdrawableAt}`
    const known = merged.get(key)
    merged.set(key, known ? { ...known, shareBps: known.shareBps + holder.shareBps } : holder)
  }
  return [...merged.values()].toSorted((a, b) => b.shareBps - a.shareBps)
}
