import type { AnalysisTarget } from '../checks/target.js'
import { createCountedLru } from '../scheduling/lru.js'
import type { Review } from './assess.js'
import { nameQuestion } from './inputs.js'
import type { Verdict } from './verdict.js'

/** Verdicts that are remembered, the last ones. Each is a few hundred bytes. */
const MAX_VERDICTS = 10_000

/**
 * Keeps unfinished work of ours from making a verdict kinder than the last whole one on the same
 * target: a busy machine or a slow node must not look like a token that has become better. What is
 * missing stays named.
 */
export function neverKinder(maxVerdicts = MAX_VERDICTS): Review {
  const known = createCountedLru<string, Verdict>(maxVerdicts)
  return (assessment, target, only) => {
    if (!isAtHead(target)) return assessment
    const name = nameQuestion(target, only)
    const { verdict } = assessment
    if (verdict.inconclusive === undefined) known.set(name, verdict)
    const last = known.get(name)
    if (!verdict.isUnfinished || last === undefined || last.score <= verdict.score) return assessment
    return { ...assessment, verdict: { ...verdict, ...worstOf(last, verdict) } }
  }
}

const isAtHead = ({ blockNumber, traderSeed }: AnalysisTarget) => blockNumber === undefined && traderSeed === undefined

const worstOf = ({ level, score, headline, reason }: Verdict, now: Verdict): Partial<Verdict> => ({
  ...{ level, score, headline },
  reason: `By an earlier analysis that was whole: ${reason} ${now.reason}`,
})
