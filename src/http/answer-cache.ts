import type { Chain } from '../chains/chain.js'
import type { AnalysisTarget } from '../checks/target.js'
import { canonicalJson } from '../reports/canonical-json.js'
import { toRequest } from '../reports/inputs.js'
import { createByteLru } from '../state/byte-lru.js'

/** Answers as the text that was sent, for as long as their block is the head: asked again, an analysis at one block gives the same report. */
export interface AnswerCache {
  /** The answer to this question, when one was given at the block that is the head now. */
  recall(url: string, target: AnalysisTarget): string | undefined
  /** Remembers a report on `target` at the head, and gives its text. Failures and what is inconclusive are not for here: they may pass. */
  keep(url: string, target: AnalysisTarget, report: { block: { hash: string } }): string
  readonly bytes: number
}

/** `headOf` names the newest block of a chain while the next one is not due. */
export function createAnswerCache({
  headOf,
  maxBytes = MAX_ANSWER_BYTES,
  onLookup = () => {},
}: {
  headOf(chain: Chain): string | undefined
  maxBytes?: number
  /** Told of each question, and whether its answer was there. */
  onLookup?(isHit: boolean): void
}): AnswerCache {
  // Node writes the headers and a text in one turn, and headers and bytes in two.
  const answers = createByteLru<{ hash: string; body: string }>({
    maxBytes,
    sizeOf: ({ body }) => body.length * BYTES_PER_UNIT,
  })
  return {
    recall(url, target) {
      const head = target.blockNumber === undefined ? headOf(target.chain) : undefined
      const answer = head === undefined ? undefined : answers.get(nameOf(url, target))
      const isHit = answer !== undefined && answer.hash === head
      onLookup(isHit)
      return isHit ? answer.body : undefined
    },
    keep(url, target, report) {
      const body = JSON.stringify(report)
      if (target.blockNumber === undefined) answers.set(nameOf(url, target), { hash: report.block.hash, body })
      return body
    },
    get bytes() {
      return answers.bytes
    },
  }
}

/** A name in another script than ours makes V8 keep the whole text in units of two bytes. */
const BYTES_PER_UNIT = 2

/** Some thousand answers of 10 KB; those with large traces push out others. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

const nameOf = (url: string, target: AnalysisTarget) => `${url} ${canonicalJson(toRequest(target))}`
