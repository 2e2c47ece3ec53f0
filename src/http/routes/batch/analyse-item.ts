import type { BatchRequest, ItemResult } from '../../../batches/batch.js'
import { analyseInTurn } from '../../analyse-in-turn.js'
import { ANALYSIS_PARTS, type AnalysisPart, type PartServices } from '../../analysis-parts.js'
import { ApiError, type ApiErrorCode, toFailure } from '../../api-error.js'
import { parseAnalysisRequest } from '../../parse-analysis-request.js'
import type { Services } from '../../services.js'

/** Makes the analyses of one target of a batch. Rejects only when `signal` fired. */
export async function analyseBatchItem(
  services: PartServices & Pick<Services, 'config' | 'log'>,
  request: BatchRequest,
  signal: AbortSignal,
): Promise<ItemResult> {
  const parts = partsOf(request)
  const target = parseAnalysisRequest(request.body, services.config)
  const result = await analyseInTurn(services, { parts, target, signal })
  const isFailed = Object.values(result).every((part) => 'success' in part && part.success === false)
  return { state: isFailed ? 'failed' : 'done', result }
}

/** The result of a target that was not analysed: the same failure for each analysis that was asked for. */
export function refuseBatchItem(request: BatchRequest, code: ApiErrorCode): ItemResult {
  return {
    state: 'failed',
    result: Object.fromEntries(partsOf(request).map(({ name }) => [name, toFailure(code)])),
  }
}

/** What is wrong with a target before anything is tried; `undefined` when nothing is. */
export function checkBatchItem(request: BatchRequest, config: Services['config']): ItemResult | undefined {
  try {
    parseAnalysisRequest(request.body, config)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return refuseBatchItem(request, error.code)
    throw error
  }
}

const PART_OF_CHECK = { simulate: 'simulation', honeypot: 'honeypot', phishing: 'phishing' } as const

function partsOf({ check }: BatchRequest): readonly AnalysisPart[] {
  return check === 'all' ? ANALYSIS_PARTS : ANALYSIS_PARTS.filter(({ name }) => name === PART_OF_CHECK[check])
}
