import type { JudgedBlocks } from '../checks/judged-blocks.js'
import type { AnalysisTarget } from '../checks/target.js'
import { createCountedLru } from '../scheduling/lru.js'
import { type Assessment, type AssessOptions, hashOf, isLasting, type Review } from './assess.js'
import { dependenciesOf } from './dependencies.js'
import { nameQuestion } from './inputs.js'

export interface RecentAssessmentsOptions {
  /** Names the newest block of a chain while the next one is not due. */
  headOf(target: Pick<AnalysisTarget, 'chain' | 'address'>): string | undefined
  maxEntries?: number
}

/**
 * Assessments that are asked for by one endpoint, the next and the page; each may hold a trace of
 * some 100 kB.
 */
const MAX_ENTRIES = 32

/**
 * Remembers the last assessments for as long as their block is the head: asked again, an analysis
 * at one block finds the same.
 */
export function rememberAssessments({
  headOf,
  maxEntries = MAX_ENTRIES,
}: RecentAssessmentsOptions): Required<Pick<AssessOptions, 'recall'>> & { keep: Review } {
  const recent = createCountedLru<string, { hash: string; assessment: Assessment }>(maxEntries)
  return {
    recall(target, only) {
      if (!isRepeatable(target)) return undefined
      const known = recent.get(nameQuestion(target, only))
      return known?.hash === headOf(target) ? known?.assessment : undefined
    },
    keep(assessment, target, only) {
      const hash = hashOf(assessment)
      const isKept = isRepeatable(target) && hash !== undefined && isLasting(assessment)
      if (isKept) recent.set(nameQuestion(target, only), { hash, assessment })
      return assessment
    },
  }
}

/** Lets a whole assessment stand for the next blocks, while nothing that it read changes. */
export const settleBlocks =
  (judged: Pick<JudgedBlocks, 'settle'>): Review =>
  (assessment, target) => {
    const hash = hashOf(assessment)
    if (assessment.isWhole && isRepeatable(target) && hash !== undefined && isLasting(assessment))
      judged.settle(target, hash, nextDateOf(assessment))
    return assessment
  }

/** When the verdict is known to change by itself, in seconds since 1970. */
function nextDateOf(assessment: Assessment): number | undefined {
  const { nextChange, nextUnlock } = dependenciesOf(assessment) ?? {}
  const dates = [nextChange, nextUnlock].filter((date) => date !== undefined)
  return dates.length === 0 ? undefined : Math.min(...dates)
}

/**
 * At the head, of people that this process invents, and without a whole trace: 32 of those would
 * hold 200 MB.
 */
export const isRepeatable = ({ blockNumber, traderSeed, trace }: AnalysisTarget) =>
  blockNumber === undefined && traderSeed === undefined && trace !== 'full'
