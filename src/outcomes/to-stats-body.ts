import type { StatsReader } from './outcome-stats.js'

/** The record as clients read it. Shares have four decimals. */
export const toStatsBody = ({ stages, ...rest }: Awaited<ReturnType<StatsReader['read']>>) => ({
  ...rest,
  stages: stages.map(({ precision, recall, ...stage }) => ({
    ...stage,
    precision: toShare(precision),
    recall: toShare(recall),
  })),
})

const toShare = (share: number | undefined) => (share === undefined ? null : Math.round(share * 10_000) / 10_000)
