import { ApiError, type ApiErrorCode, toFailure } from '../../../api-error.js'
import type { BatchRequest, ItemResult } from '../../../batches/batch.js'
import { type AnalysisName, EVM_ANALYSES } from '../../../reports/analyses.js'
import { namesOfAnswers, type Run, readQuestion } from '../../../reports/analysis-question.js'
import { type AnswerServices, answerQuestion } from '../../../reports/answer-question.js'
import type { Services } from '../../services.js'

/** Makes the analyses of one target of a batch. Rejects only when `signal` fired. */
export async function analyseBatchItem(
  services: AnswerServices,
  request: BatchRequest,
  run: Pick<Run, 'caller' | 'signal'>,
): Promise<ItemResult> {
  const question = readQuestion(request.body, services.config, namesOf(request))
  const result = await answerQuestion(services, question, run)
  const isFailed = Object.values(result).every((answer) => 'success' in answer && answer.success === false)
  return { state: isFailed ? 'failed' : 'done', result }
}

/**
 * The result of a target that was not analysed: the same failure for each analysis that was asked
 * for.
 */
export function refuseBatchItem(request: BatchRequest, code: ApiErrorCode): ItemResult {
  return {
    state: 'failed',
    result: Object.fromEntries(namesOfAnswers(request.body, namesOf(request)).map((name) => [name, toFailure(code)])),
  }
}

/** What is wrong with a target before anything is tried; `undefined` when nothing is. */
export function checkBatchItem(request: BatchRequest, config: Services['config']): ItemResult | undefined {
  try {
    readQuestion(request.body, config, namesOf(request))
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return refuseBatchItem(request, error.code)
    throw error
  }
}

/** How requests name the checks (docs/api.md). */
const ANALYSIS_OF_CHECK = {
  simulate: ['simulation'],
  honeypot: ['honeypot'],
  phishing: ['phishing'],
  all: EVM_ANALYSES,
} as const

const namesOf = ({ check }: BatchRequest): readonly AnalysisName[] => ANALYSIS_OF_CHECK[check]
