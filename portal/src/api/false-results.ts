import type { Static } from 'typebox'
import type { FalseResultAnswer } from '../../../src/http/routes/false-results/schema.js'
import { ask } from './api-client.js'
import type { Reports, Target } from './reports.js'

export type FalseResult = Static<typeof FalseResultAnswer>

/** A result on this page: made just now, or kept. */
export interface Disputed {
  target: Target
  reports: Reports
  /** Of a kept one. */
  savedId?: string | undefined
}

/** Tells the operator that a result is wrong, as the one who has this key, or else this session. */
export function reportFalseResult(
  { target: { address, chain }, reports, savedId }: Disputed,
  words: { message: string; expected: string },
  apiKey: string | undefined,
): Promise<FalseResult> {
  const { simulation, honeypot } = reports
  const made = simulation ?? honeypot
  const overall = made?.overall
  const seen = {
    ...(overall && { level: overall.level, score: overall.score }),
    ...(made?.inputs && { digest: made.inputs.digest }),
  }
  const question =
    savedId !== undefined
      ? { report: savedId }
      : {
          targetContractAddress: address,
          chainId: chain === 'SOL' ? 'SOL' : Number(chain),
          ...(made?.block && chain !== 'SOL' && { blockNumber: made.block.number }),
        }
  return ask('POST', '/api/false-results', { ...question, ...words, seen }, apiKey)
}
