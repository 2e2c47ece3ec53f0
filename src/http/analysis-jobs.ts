import type { ProgressStep } from '../checks/target.js'
import type { Assessment } from '../reports/assess.js'
import { ANALYSIS_PARTS, type AnalysisPart, type RenderServices } from './analysis-parts.js'
import { ApiError, type ApiErrorCode } from './api-error.js'
import { parseAnalysisRequest } from './parse-analysis-request.js'
import { isSolanaRequest, parseSolanaRequest } from './parse-solana-request.js'
import { analyseSolanaAsHoneypot } from './routes/honeypot-checks/route.js'
import { analyseAsSolana } from './routes/solana-token-checks/route.js'
import type { Services } from './services.js'

export type JobServices = RenderServices & Pick<Services, 'assess' | 'checkSolanaToken'>

export interface JobRun {
  /** Whose analysis it is. */
  caller: string
  signal: AbortSignal
  onProgress?(step: ProgressStep): void
}

/** One answer to be made on a target that is known: what an endpoint of its own would give. */
export interface AnalysisJob {
  name: AnalysisPart['name'] | 'solana'
  failure: ApiErrorCode
  analyse(services: JobServices, run: JobRun): Promise<object>
}

const ALL = ANALYSIS_PARTS.map(({ name }) => name)

/**
 * What is to be answered about the target of a request. On Solana one answer has everything, so
 * that `solana` stands for all parts; a honeypot check is made there too, and no other part. Throws
 * an `ApiError` for what no endpoint would take.
 */
export function planAnalysis(
  body: unknown,
  config: { compat: boolean },
  wanted: readonly AnalysisPart['name'][] = ALL,
): AnalysisJob[] {
  if (isSolanaRequest(body)) return [planSolana(body, config, wanted)]
  const target = parseAnalysisRequest(body, config)
  const parts = ANALYSIS_PARTS.filter(({ name }) => wanted.includes(name))
  const [first] = parts
  const only = target.only && parts.length === 1 ? first?.name : undefined
  /** One for all jobs, made when the first of them begins. */
  let assessment: Promise<Assessment> | undefined
  return parts.map(({ name, failure, render }) => ({
    name,
    failure,
    async analyse(services, run) {
      assessment ??= services.assess({ ...target, ...run }, only)
      return render(services, target, await assessment)
    },
  }))
}

/** The names that the answers of such a request will have, whether or not it can be answered. */
export function namesOfJobs(body: unknown, wanted: readonly AnalysisPart['name'][] = ALL): AnalysisJob['name'][] {
  return isSolanaRequest(body) && wanted.length > 1 ? ['solana'] : [...wanted]
}

function planSolana(body: unknown, config: { compat: boolean }, wanted: readonly AnalysisPart['name'][]): AnalysisJob {
  const target = parseSolanaRequest(body, config)
  if (wanted.length > 1) {
    const analyse: AnalysisJob['analyse'] = (services, { signal, caller }) =>
      analyseAsSolana(services, { ...target, signal, caller })
    return { name: 'solana', failure: 'simulation_failed', analyse }
  }
  if (!wanted.includes('honeypot')) throw new ApiError('unsupported_chain')
  return {
    name: 'honeypot',
    failure: 'honeypot_failed',
    analyse: (services, { signal, caller }) => analyseSolanaAsHoneypot(services, { ...target, signal, caller }),
  }
}
