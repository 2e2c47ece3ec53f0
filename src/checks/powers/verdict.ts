import { TRUST_STATUSES, type TrustStatus } from '../bytecode/report.js'
import type { HolderAnalysis } from '../holders/report.js'
import type { LiquidityReport } from '../liquidity/report.js'
import type { PowersReport } from './check-powers.js'
import { explainPower } from './explain-power.js'
import { type Reach, reachOf } from './gravity.js'
import type { Holder, Power } from './power.js'

/** In whose hands a power is, as far as it matters. `hand`: one person's. `contract`: code whose rules were not read. `slow`: several, or after a delay. */
export type Grip = 'anyone' | 'hidden' | 'hand' | 'contract' | 'slow' | 'unknown' | 'nobody'

/** A delay that leaves buyers the time to go. Seconds: a day. */
const LONG_DELAY_SECONDS = 86_400

/**
 * The one table from powers to risk: what a power reaches, and who has it. 0 to 100, on the scale of trading: from 91 on it is as bad as a trap
 * that has closed. `trustStatus` is read off the same numbers.
 */
export const POWER_SCORES: Record<Reach, Record<Grip, number>> = {
  total: { anyone: 95, hidden: 95, hand: 80, contract: 75, slow: 30, unknown: 45, nobody: 0 },
  regulating: { anyone: 95, hidden: 80, hand: 45, contract: 40, slow: 15, unknown: 30, nobody: 0 },
  partial: { anyone: 60, hidden: 50, hand: 40, contract: 35, slow: 15, unknown: 30, nobody: 0 },
  small: { anyone: 30, hidden: 30, hand: 12, contract: 10, slow: 5, unknown: 5, nobody: 0 },
  untried: { anyone: 35, hidden: 45, hand: 35, contract: 35, slow: 15, unknown: 35, nobody: 0 },
  nothing: { anyone: 0, hidden: 0, hand: 0, contract: 0, slow: 0, unknown: 0, nobody: 0 },
}

/** Least score of each word. The borders lie between the rows of {@link POWER_SCORES} and of the table of trading. */
export const STATUS_SCORES: Record<TrustStatus, number> = {
  Safe: 0,
  'Low Risk': 10,
  'Medium Risk': 35,
  'High Risk': 70,
  'Critical Risk': 91,
}

/**
 * What became of people who have the token already: the first row that fits. `share` of those who were tried or emptied cannot sell, and `least`
 * of them. One who is barred may be a robot that the makers shut out.
 */
export const HOLDER_SCORES = [
  { share: 0.5, least: 3, score: 95 },
  { share: 0.2, least: 2, score: 60 },
  { share: 0, least: 1, score: 20 },
] as const

/** One holder can take out half of the pool at once: not unusual, and how most buyers were left with nothing. */
export const PULL_SHARE_BPS = 5_000
export const PULL_SCORE = 30

/** Powers that are public knowledge weigh no more than this. */
const REVIEWED_SCORE = 15
/** What was not seen to the end is never better than this. */
const UNFINISHED_SCORE = 45

export interface Judgement {
  /** Trading now and powers together; the worse counts. */
  riskScore: number
  trustStatus: TrustStatus
  /** One sentence for a person. */
  humanWarning: string
}

export interface JudgementInput {
  trade: { riskScore: number; isHoneypot: boolean; isTimeHoneypot: boolean; inconclusive: string | undefined }
  /** Absent where trading left nothing to try powers on. */
  sweep: PowersReport | undefined
  /** Absent where nobody could be tried. */
  holders?: HolderAnalysis | undefined
  liquidity?: LiquidityReport | undefined
  /** On the reviewed list: powers stay visible and weigh little. Harm that was seen, and what anybody can do, are not covered. */
  reviewed: boolean
}

/** Weighs what was observed and what was proven to be possible. Blindness never helps. */
export function judgePowers({ trade, sweep, holders, liquidity, reviewed }: JudgementInput): Judgement {
  const [worst] = rankPowers(sweep?.powers ?? [])
  const power = worst === undefined ? 0 : scoreOfPower(worst)
  const weight =
    reviewed && worst !== undefined && gripOf(worst.holder) !== 'anyone' ? Math.min(power, REVIEWED_SCORE) : power
  const isUnfinished = sweep?.unfinished !== undefined || holders?.unfinished !== undefined
  const unfinished = !isUnfinished ? 0 : reviewed ? REVIEWED_SCORE : UNFINISHED_SCORE
  const barred = holders ? scoreOfHolders(holders) : 0
  const pull = !reviewed && liquidity && mayBePulled(liquidity) ? PULL_SCORE : 0
  const riskScore = Math.max(trade.riskScore, weight, unfinished, barred, pull)
  const least: TrustStatus =
    trade.inconclusive !== undefined || trade.isTimeHoneypot
      ? trade.isTimeHoneypot
        ? 'Critical Risk'
        : 'Medium Risk'
      : 'Safe'
  return {
    riskScore,
    trustStatus: worseOf(statusOf(riskScore), least),
    humanWarning: explain({ trade, sweep, holders, liquidity, reviewed }, worst, power),
  }
}

export function scoreOfHolders({ tested, failed, siphoned }: HolderAnalysis): number {
  const harmed = failed + siphoned
  const share = harmed / Math.max(tested + siphoned, 1)
  return HOLDER_SCORES.find((row) => harmed >= row.least && share >= row.share)?.score ?? 0
}

/** What nobody knows the owner of may be one person's. */
const mayBePulled = (liquidity: LiquidityReport) => Math.max(pullBps(liquidity), liquidity.unknownBps) >= PULL_SHARE_BPS

/** The largest share that one holder, who is no lock, took out at once. Basis points. */
function pullBps({ holders }: LiquidityReport): number {
  const now = Math.min(...holders.flatMap(({ withdrawableAt }) => withdrawableAt ?? []))
  const free = holders.filter(({ kind, withdrawableAt }) => kind !== 'locker' && withdrawableAt === now)
  return Math.max(0, ...free.map(({ shareBps }) => shareBps))
}

export function statusOf(score: number): TrustStatus {
  return TRUST_STATUSES.findLast((status) => score >= STATUS_SCORES[status]) ?? 'Safe'
}

const worseOf = (a: TrustStatus, b: TrustStatus) => (TRUST_STATUSES.indexOf(a) >= TRUST_STATUSES.indexOf(b) ? a : b)

/** The worst first; equals in the order in which they were found. */
export function rankPowers(powers: readonly Power[]): Power[] {
  return powers.toSorted((a, b) => scoreOfPower(b) - scoreOfPower(a) || b.lossBps - a.lossBps)
}

export const scoreOfPower = ({ effect, lossBps, holder }: Power): number =>
  POWER_SCORES[reachOf(effect, lossBps)][gripOf(holder)]

export function gripOf({ kind, isHidden, delaySeconds }: Holder): Grip {
  if (kind === 'renounced' || kind === 'unset') return 'nobody'
  if (kind === 'anyone') return 'anyone'
  if (isHidden) return 'hidden'
  if (kind === 'unknown') return 'unknown'
  if (kind === 'multisig') return 'slow'
  if (kind === 'timelock') return delaySeconds >= LONG_DELAY_SECONDS ? 'slow' : 'hand'
  return kind === 'contract' ? 'contract' : 'hand'
}

function explain(
  { trade, sweep, holders, liquidity, reviewed }: JudgementInput,
  worst: Power | undefined,
  score: number,
): string {
  const sentences = [
    reviewed ? 'This is a widely used contract whose powers are publicly known.' : undefined,
    trade.isHoneypot ? 'What is bought now cannot be sold, or only at a loss of nearly everything.' : undefined,
    trade.isTimeHoneypot ? 'It can be sold now, and not any more later.' : undefined,
    trade.inconclusive === undefined ? undefined : `Trading proved nothing: ${trade.inconclusive}.`,
    worst !== undefined && score >= STATUS_SCORES['Low Risk'] ? explainPower(worst) : undefined,
    holders && explainHolders(holders),
    !reviewed && liquidity && explainPull(liquidity),
    sweep?.unfinished === undefined ? undefined : `Not all powers could be tried: ${sweep.unfinished}.`,
  ].filter((sentence) => sentence !== undefined)
  return sentences.length > 0
    ? sentences.join(' ')
    : 'It could be bought and sold, and no power over those who hold it was found.'
}

function explainHolders({ tested, failed, siphoned, unfinished }: HolderAnalysis): string | undefined {
  const harmed = failed + siphoned
  if (harmed === 0 && unfinished !== undefined) return `Not all holders could be tried: ${unfinished}.`
  return harmed === 0 ? undefined : `${harmed} of ${tested + siphoned} holders who were looked at could not sell.`
}

function explainPull(liquidity: LiquidityReport): string | undefined {
  const share = pullBps(liquidity)
  if (liquidity.unknownBps >= PULL_SHARE_BPS)
    return `It is not known who has ${Math.round(liquidity.unknownBps / 100)} % of the liquidity.`
  return share < PULL_SHARE_BPS
    ? undefined
    : `One holder can take out ${Math.round(share / 100)} % of the liquidity at once.`
}
