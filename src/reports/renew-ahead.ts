import type { JudgedBlocks } from '../checks/judged-blocks.js'
import type { AnalysisTarget } from '../checks/target.js'
import { ANALYSIS_BOUNDS } from './analysis-bounds.js'
import { type Assess, hashOf, type Review } from './assess.js'
import { isRepeatable } from './recent-assessments.js'

export interface RenewAheadOptions {
  judged: Pick<JudgedBlocks, 'isDue'>
  /** Judges without remembering that it did, and without being reviewed by what this makes. */
  assess: Assess
  /**
   * Targets that are judged anew at the same time, beside all that is asked: in a queue with that,
   * they would be too old when much is asked, and then all who ask about them queue there too.
   */
  atOnce: number
  onFailure(error: unknown): void
}

export interface RenewAhead {
  review: Review
  /** Ends what is under way. */
  close(): Promise<void>
}

/** At threads and nodes, all of it takes turns with callers as one of them. */
const CALLER = 'renewals'
/** What waits longer than these take is too old by then. */
const MAX_WAITING = 64

/**
 * Judges anew what is asked about again and again, before what is known of it is too old: else all
 * who ask wait for it, and targets that were judged together would be judged anew together. Changes
 * no assessment, and fails none.
 */
export function renewAhead({ judged, assess, atOnce, onFailure }: RenewAheadOptions): RenewAhead {
  /** By target, each with the question that was asked last. */
  const waiting = new Map<string, AnalysisTarget>()
  const underWay = new Map<string, Promise<void>>()
  const controller = new AbortController()

  const renew = async (target: AnalysisTarget): Promise<void> => {
    const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(ANALYSIS_BOUNDS.analysisMs)])
    const { onProgress: _, ...question } = target
    await assess({ ...question, isAnew: true, caller: CALLER, signal })
  }
  const startNext = () => {
    const [next] = waiting
    if (next === undefined || underWay.size >= atOnce || controller.signal.aborted) return
    const [name, target] = next
    waiting.delete(name)
    const work = renew(target)
      .catch((error: unknown) => void (controller.signal.aborted || onFailure(error)))
      .then(() => {
        underWay.delete(name)
        startNext()
      })
    underWay.set(name, work)
  }

  return {
    review(assessment, target) {
      const hash = hashOf(assessment)
      const name = `${target.chain.id}:${target.address}`
      const hasPlace = !underWay.has(name) && waiting.size < MAX_WAITING
      const isLike = assessment.isWhole && isRepeatable(target)
      if (hasPlace && isLike && hash !== undefined && judged.isDue(target, hash)) {
        waiting.set(name, target)
        startNext()
      }
      return assessment
    },
    async close() {
      controller.abort()
      waiting.clear()
      await Promise.all(underWay.values())
    },
  }
}
