import { type Reach, reachOf } from './gravity.js'
import type { Holder, Power } from './power.js'

/**
 * In whose hands a power is, as far as it matters. `hand`: one person's. `contract`: code whose
 * rules were not read. `slow`: several, or after a delay.
 */
export type Grip = 'anyone' | 'hidden' | 'hand' | 'contract' | 'slow' | 'unknown' | 'none'

/** A delay that leaves buyers the time to go. Seconds: a day. */
export const LONG_DELAY_SECONDS = 86_400

/**
 * The one table from powers to risk: what a power reaches, and who has it. On the scale of
 * `levels.ts`: from 91 on it is as bad as a trap that has closed.
 */
export const POWER_SCORES: Record<Reach, Record<Grip, number>> = {
  total: { anyone: 95, hidden: 95, hand: 80, contract: 75, slow: 30, unknown: 45, none: 0 },
  regulating: { anyone: 95, hidden: 80, hand: 45, contract: 40, slow: 15, unknown: 30, none: 0 },
  partial: { anyone: 60, hidden: 50, hand: 40, contract: 35, slow: 15, unknown: 30, none: 0 },
  small: { anyone: 30, hidden: 30, hand: 12, contract: 10, slow: 5, unknown: 5, none: 0 },
  untried: { anyone: 35, hidden: 45, hand: 35, contract: 35, slow: 15, unknown: 35, none: 0 },
  nothing: { anyone: 0, hidden: 0, hand: 0, contract: 0, slow: 0, unknown: 0, none: 0 },
}

/** The worst first; equals in the order in which they were found. */
export function rankPowers(powers: readonly Power[]): Power[] {
  return powers.toSorted((a, b) => scoreOfPower(b) - scoreOfPower(a) || b.lossBps - a.lossBps)
}

export function scoreOfPower({ effect, lossBps, holder, isShownBySetting }: Power): number {
  const reach = reachOf(effect, lossBps)
  const score = POWER_SCORES[reach][gripOf(holder)]
  if (!isShownBySetting) return score
  if (holder.kind === 'unknown' && holder.isHidden && STOPS_SALES.has(effect)) return Math.min(score, SECRET_SCORE)
  const isGrave = reach === 'total' || reach === 'regulating'
  return isGrave && holder.kind === 'unknown' ? SHOWN_BY_SETTING_SCORE : Math.min(score, SHOWN_BY_SETTING_SCORE)
}

/**
 * Who made a lock that opens to a word has the word: as good as an owner, and no owner is seen.
 * Issues and allowances by such a word are left out, as bridges make them by signatures.
 */
const SECRET_SCORE = POWER_SCORES.total.hand
const STOPS_SALES: ReadonlySet<Power['effect']> = new Set([
  'blocks-sells',
  'blocks-account',
  'stops-trading',
  'raises-tax',
])

/**
 * What was never seen to be reached is no better than an unknown holder of the worst power, and no
 * worse: a secret that stops one sale may stop all.
 */
const SHOWN_BY_SETTING_SCORE = POWER_SCORES.total.unknown

export function gripOf({ kind, isHidden, delaySeconds }: Holder): Grip {
  if (kind === 'renounced' || kind === 'unset') return 'none'
  if (kind === 'anyone') return 'anyone'
  if (isHidden) return 'hidden'
  if (kind === 'unknown') return 'unknown'
  if (kind === 'multisig' || delaySeconds >= LONG_DELAY_SECONDS) return 'slow'
  if (kind === 'timelock') return 'hand'
  return kind === 'contract' ? 'contract' : 'hand'
}
