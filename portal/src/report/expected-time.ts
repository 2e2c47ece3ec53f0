import type { Expected } from '../api/stream.js'

/** What to expect, from what this service measured; once it takes longer, that it does. */
export function sayExpected({ usualMs, slowMs, mostMs }: Expected, passedMs: number): string {
  const most = `after ${formatSeconds(mostMs)} at the latest it ends with what is known.`
  if (usualMs === null || slowMs === null) return `How long it takes here is not known yet; ${most}`
  if (passedMs > slowMs) return `It takes longer than most; ${most}`
  return `Usually it takes ${formatSeconds(usualMs)} here, and nine in ten are done within ${formatSeconds(slowMs)}.`
}

/** To a tenth of a second where that says something. */
export const formatSeconds = (ms: number) => `${ms < 9_950 ? (ms / 1_000).toFixed(1) : Math.round(ms / 1_000)}\u00a0s`
