/** The five words of the specification, from best to worst. */
export const TRUST_STATUSES = ['Safe', 'Low Risk', 'Medium Risk', 'High Risk', 'Critical Risk'] as const
export type TrustStatus = (typeof TRUST_STATUSES)[number]

/**
 * Least score of each word: the one table of thresholds (docs/verdict.md). Scores run from 0 to
 * 100, higher is worse.
 */
export const LEAST_SCORES: Readonly<Record<TrustStatus, number>> = {
  Safe: 0,
  'Low Risk': 10,
  'Medium Risk': 35,
  'High Risk': 70,
  'Critical Risk': 91,
}

/** The word for a score. */
export function levelOf(score: number): TrustStatus {
  return TRUST_STATUSES.findLast((level) => score >= LEAST_SCORES[level]) ?? 'Safe'
}

export const worseOf = (a: TrustStatus, b: TrustStatus) =>
  TRUST_STATUSES.indexOf(a) >= TRUST_STATUSES.indexOf(b) ? a : b

/** Whether a score means that the harm is certain. */
export const isHostileScore = (score: number) => score >= LEAST_SCORES['Critical Risk']
