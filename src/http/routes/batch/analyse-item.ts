import type { BatchRequest, ItemResult } from '../../../batches/batch.js'
import { analyseInTurn } from '../../analyse-in-turn.js'
import { type JobRun, type JobServices, namesOfJobs, planAnalysis } from '../../analysis-jobs.js'
import { ANALYSIS_PARTS, type AnalysisPart } from '../../analysis-parts.js'
import { ApiError, type ApiErrorCode, toFailure } from '../../api-error.js'
import type { Services } from '../../services.js'

/** Makes the analyses of one target of a batch. Rejects only when `signal` fired. */
export async function analyseBatchItem(
  services: JobServices & Pick<Services, 'config' | 'log'>,
  request: BatchRequest,
  { caller, signal }: Pick<JobRun, 'caller' | 'signal'>,
): Promise<ItemResult> {
  const jobs = planAnalysis(request.body, services.config, partsOf(request))
  const result = await analyseInTurn(services, { jobs, caller, signal })
  const isFailed = Object.values(result).every((part) => 'success' in part && part.success === false)
  return { state: isFailed ? 'failed' : 'done', result }
}

/**
 * The result of a target that was not analysed: the same failure for each analysis that was asked
 * for.
 */
export function refuseBatchItem(request: BatchRequest, code: ApiErrorCode): ItemResult {
  return {
    state: 'failed',
    result: Object.fromEntries(namesOfJobs(request.body, partsOf(request)).map((name) => [name, toFailure(code)])),
  }
}

/** What is wrong with a target before anything is tried; `undefined` when nothing is. */
export function checkBatchItem(request: BatchRequest, config: Services['config']): ItemResult | undefined {
  try {
    planAnalysis(request.body, config, partsOf(request))
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return refuseBatchItem(request, error.code)
    throw error
  }
}

const PART_OF_CHECK = { simulate: 'simulation', honeypot: 'honeypot', phishing: 'phishing' } as const

function partsOf({ check }: BatchRequest): AnalysisPart['name'][] {
  return check === 'all' ? ANALYSIS_PARTS.map(({ name }) => name) : [PART_OF_CHECK[check]]
}
