import type { AnalysisTarget } from '../checks/target.js'
import { createByteLru } from '../scheduling/lru.js'

/**
 * Answers as the bytes that were sent, for as long as their block is the head: asked again, an
 * analysis at one block gives the same report.
 */
export interface AnswerCache {
  /**
   * The answer to the question of this name, when one was given at the block that is the head now.
   */
  recall(question: string, target: AnalysisTarget): Buffer | undefined
  /**
   * Remembers a report on `target` at the head, and gives its bytes. Failures and what is
   * inconclusive are not for here: they may pass.
   */
  keep(question: string, target: AnalysisTarget, report: { block: { hash: string } }): Buffer
  readonly bytes: number
}

/** `headOf` names the newest block of a chain while the next one is not due. */
export function createAnswerCache({
  headOf,
  maxBytes = MAX_ANSWER_BYTES,
  onLookup = () => {},
}: {
  headOf(target: Pick<AnalysisTarget, 'chain' | 'address'>): string | undefined
  maxBytes?: number
  /** Told of each question, and whether its answer was there. */
  onLookup?(isHit: boolean): void
}): AnswerCache {
  // Bytes, because a text is encoded anew for each client, and twice as slowly when a token's name
  // is in another script than ours.
  const answers = createByteLru<{ hash: string; body: Buffer }>({ maxBytes, sizeOf: ({ body }) => body.length })
  return {
    recall(question, target) {
      const head = target.blockNumber === undefined ? headOf(target) : undefined
      const answer = head === undefined ? undefined : answers.get(question)
      const isHit = answer !== undefined && answer.hash === head
      onLookup(isHit)
      return isHit ? answer.body : undefined
    },
    keep(question, target, report) {
      const body = Buffer.from(JSON.stringify(report))
      if (target.blockNumber === undefined) answers.set(question, { hash: report.block.hash, body })
      return body
    },
    get bytes() {
      return answers.weight
    },
  }
}

/** Some thousand answers of 10 KB; those with large traces push out others. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
