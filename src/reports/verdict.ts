import type { Finding } from '../checks/finding.js'
import { isHostileScore, levelOf, type TrustStatus, worseOf } from '../checks/levels.js'

/** Why a check says nothing about the target, or not everything. */
export interface Doubt {
  /** Stands alone when nothing worse was found. */
  headline: string
  /** One sentence, in the words of a buyer. */
  reason: string
  /** Our own work did not finish: deadline, load or a node. It says nothing about the target. */
  isOurs: boolean
  /** For programs. */
  code?: 'machine_busy'
}

/** What all checks of a target found. */
export interface VerdictInput {
  findings: readonly Finding[]
  doubts: readonly Doubt[]
  /**
   * On the reviewed list: privileges are public knowledge and weigh little. What was observed is
   * not covered.
   */
  reviewed: boolean
  /** What is said where nothing was found. */
  calm: { headline: string; reason: string }
}

/**
 * The one judgement of a target. Every answer and every surface renders it, and decides nothing.
 */
export interface Verdict {
  level: TrustStatus
  /** 0 to 100, higher is worse. */
  score: number
  headline: string
  /** Why, in a few sentences. */
  reason: string
  /** Why the judgement is not whole; `undefined` when it is. Neither guilt nor safety. */
  inconclusive: string | undefined
  /** The worst is what a wallet was asked to sign, whatever the target is. */
  isOfRequest?: true
  /** Part of that is work of ours: another time it may be whole. */
  isUnfinished: boolean
  /** What kept it from being whole, for programs, where that was the machine. */
  inconclusiveCode?: 'machine_busy'
}

/** Privileges that are public knowledge weigh no more than this. */
export const REVIEWED_SCORE = 15
/** What our own work left unseen is never better than this. */
export const UNFINISHED_SCORE = 45
/** Findings told besides the worst. */
const MAX_REASONS = 3

/** Weighs everything that was found: the worst decides, and what was not seen never helps. */
export function judge({ findings, doubts, reviewed, calm }: VerdictInput): Verdict {
  const unfinished = doubts.filter(({ isOurs }) => isOurs).map(toUnfinished)
  const weighed = [...findings, ...unfinished]
    .map((finding) => (reviewed ? soften(finding) : finding))
    .toSorted((a, b) => b.score - a.score)
  const [worst] = weighed
  const score = worst?.score ?? 0
  const level = doubts.length > 0 ? worseOf(levelOf(score), 'Medium Risk') : levelOf(score)
  const [doubt] = doubts
  const grave = weighed.filter((finding) => levelOf(finding.score) !== 'Safe')
  const isDoubtful = doubt !== undefined && (worst === undefined || levelOf(score) === 'Safe')
  const first = isDoubtful ? doubt : grave.length > 0 ? (grave[0] ?? calm) : calm
  return {
    level: softened(level, { reviewed, worst, doubts }),
    score,
    headline: first.headline,
    reason: sentences([
      reviewed ? 'This is a widely used contract whose privileges are publicly known.' : undefined,
      ...(grave.length > 0 ? grave.slice(0, MAX_REASONS).map(({ reason }) => reason) : []),
      ...doubts.map(({ reason }) => reason),
      ...(grave.length === 0 && doubts.length === 0 ? [calm.reason] : []),
    ]),
    inconclusive: doubts.length > 0 ? sentences(doubts.map(({ reason }) => reason)) : undefined,
    isUnfinished: unfinished.length > 0,
    ...(worst?.isOfRequest && { isOfRequest: true as const }),
    ...(doubts.some(({ code }) => code !== undefined) && { inconclusiveCode: 'machine_busy' as const }),
  }
}

const toUnfinished = ({ headline, reason }: Doubt): Finding => ({
  ...{ id: 'unfinished', basis: 'unfinished', score: UNFINISHED_SCORE, headline, reason },
})

const soften = (finding: Finding): Finding =>
  finding.basis === 'observed' ? finding : { ...finding, score: Math.min(finding.score, REVIEWED_SCORE) }

/**
 * A widely used contract that nothing was seen to be wrong with stays calm also where it could not
 * be traded.
 */
function softened(
  level: TrustStatus,
  { reviewed, worst, doubts }: Pick<VerdictInput, 'reviewed' | 'doubts'> & { worst: Finding | undefined },
): TrustStatus {
  const isCalm =
    reviewed && (worst === undefined || !isHostileScore(worst.score)) && doubts.every(({ isOurs }) => !isOurs)
  return isCalm ? levelOf(worst?.score ?? 0) : level
}

const sentences = (parts: readonly (string | undefined)[]) =>
  [...new Set(parts.filter((part) => part !== undefined && part !== ''))].join(' ')
