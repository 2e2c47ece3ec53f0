import type { HolderAnalysis } from './holders-report.js'

/**
 * What became of people who have the token already: the first row that fits. `share` of those who
 * were tried or emptied cannot sell, and `least` of them. One who is barred may be a robot that the
 * makers shut out.
 */
export const HOLDER_SCORES = [
  { share: 0.5, least: 3, score: 95 },
  { share: 0.2, least: 2, score: 60 },
  { share: 0, least: 1, score: 20 },
] as const

/** Holders who are harmed: refused, emptied, or left with less than half by the sale. */
export const harmedOf = ({ failed, ruined, siphoned }: HolderAnalysis) => failed + ruined + siphoned

export function scoreOfHolders(analysis: HolderAnalysis): number {
  const harmed = harmedOf(analysis)
  const share = harmed / Math.max(analysis.tested + analysis.siphoned, 1)
  return HOLDER_SCORES.find((row) => harmed >= row.least && share >= row.share)?.score ?? 0
}
