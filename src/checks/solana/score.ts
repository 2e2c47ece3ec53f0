import { TRUST_STATUSES, type TrustStatus } from '../bytecode/report.js'

/** The largest weight, and a twentieth of each of the others: many small faults do not make one large one. */
export function scoreOf(weights: readonly number[]): number {
  const sorted = [...weights].sort((a, b) => b - a)
  const [largest = 0, ...others] = sorted
  const sum = largest + others.reduce((total, weight) => total + weight * SHARE_OF_OTHERS, 0)
  return Math.min(MAX_SCORE, Math.round(sum))
}

/** The word of the specification for a score. */
export function statusOf(score: number): TrustStatus {
  return BANDS.find(([from]) => score >= from)?.[1] ?? 'Safe'
}

/** A token on the trusted list that sells normally: its powers are publicly known. */
export const TRUSTED_CAP = 25
/** What a program or a multisig holds is not one person's whim. */
export const SHARED_POWER_FACTOR = 0.85
/** An analysis that did not finish is at least `Medium Risk`. */
export const INCOMPLETE_SCORE = 40

const SHARE_OF_OTHERS = 0.05
const MAX_SCORE = 100

const BANDS: readonly (readonly [number, TrustStatus])[] = [
  [80, 'Critical Risk'],
  [60, 'High Risk'],
  [40, 'Medium Risk'],
  [15, 'Low Risk'],
]

/** Whether the first is the worse word. */
export const isWorse = (a: TrustStatus, b: TrustStatus) => TRUST_STATUSES.indexOf(a) > TRUST_STATUSES.indexOf(b)
