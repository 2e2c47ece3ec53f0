import type { Chain } from '../chains/chain.js'
import type { AnalysisTarget } from '../checks/target.js'
import { createCountedLru } from '../scheduling/lru.js'
import { type Assess, type Assessment, isLasting } from './assess.js'
import { nameQuestion } from './inputs.js'

export interface RecentAssessmentsOptions {
  /** Names the newest block of a chain while the next one is not due. */
  headOf(chain: Chain): string | undefined
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
export function rememberAssessments(
  assess: Assess,
  { headOf, maxEntries = MAX_ENTRIES }: RecentAssessmentsOptions,
): Assess {
  const recent = createCountedLru<string, { hash: string; assessment: Assessment }>(maxEntries)
  const keep = (name: string, assessment: Assessment) => {
    const hash = blockHashOf(assessment)
    if (hash !== undefined && isLasting(assessment)) recent.set(name, { hash, assessment })
  }
  return async (target, only) => {
    if (!isRepeatable(target)) return assess(target, only)
    const name = nameQuestion(target, only)
    const known = recent.get(name)
    if (known !== undefined && known.hash === headOf(target.chain)) return known.assessment
    const assessment = await assess(target, only)
    keep(name, assessment)
    return assessment
  }
}

/**
 * At the head, of people that this process invents, and without a whole trace: 32 of those would
 * hold 200 MB.
 */
const isRepeatable = ({ blockNumber, traderSeed, trace }: AnalysisTarget) =>
  blockNumber === undefined && traderSeed === undefined && trace !== 'full'

function blockHashOf({ simulation, honeypot, phishing }: Assessment): string | undefined {
  for (const part of [simulation, honeypot, phishing]) if (part && 'block' in part) return part.block.hash
  return undefined
}
