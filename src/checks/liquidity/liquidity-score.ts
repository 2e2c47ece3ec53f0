import type { LiquidityReport } from './liquidity-report.js'

/**
 * One holder can take out half of the pool at once: not unusual, and how most buyers were left with
 * nothing.
 */
export const PULL_SHARE_BPS = 5_000
export const PULL_SCORE = 30

/** The largest share that one holder, who is no lock, took out at once. Basis points. */
export function pullBps({ holders }: LiquidityReport): number {
  const now = Math.min(...holders.flatMap(({ withdrawableAt }) => withdrawableAt ?? []))
  const free = holders.filter(({ kind, withdrawableAt }) => kind !== 'locker' && withdrawableAt === now)
  return Math.max(0, ...free.map(({ shareBps }) => shareBps))
}

/** What is held by unknown owners may be one person's. */
export const scoreOfLiquidity = (liquidity: LiquidityReport) =>
  Math.max(pullBps(liquidity), liquidity.unknownBps) >= PULL_SHARE_BPS ? PULL_SCORE : 0
