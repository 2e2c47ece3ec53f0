import { BaseError } from '../errors.js'
import type { AnalysisJob, JobServices } from './analysis-jobs.js'
import { type Failure, toFailure } from './api-error.js'
import { HTTP_BOUNDS, type HttpBounds } from './bounds.js'
import { toApiError } from './send-failure.js'
import type { Services } from './services.js'

/** What each job found, or why it did not. */
export type JobResults = Partial<Record<AnalysisJob['name'], object | Failure>>

/**
 * Makes several answers on one target one after the other, each within the time that an endpoint
 * has. For work without an open connection. A job that fails is a failure in the result; rejects
 * only when `signal` fires.
 */
export async function analyseInTurn(
  services: JobServices & Pick<Services, 'log'>,
  { jobs, caller, signal }: { jobs: readonly AnalysisJob[]; caller: string; signal: AbortSignal },
  { analysisMs, wrapUpMs }: Pick<HttpBounds, 'analysisMs' | 'wrapUpMs'> = HTTP_BOUNDS,
): Promise<JobResults> {
  const results: JobResults = {}
  for (const job of jobs) {
    const soft = AbortSignal.any([signal, AbortSignal.timeout(analysisMs - wrapUpMs)])
    try {
      results[job.name] = await within(analysisMs, job.analyse(services, { caller, signal: soft }))
    } catch (error) {
      signal.throwIfAborted()
      const { code } = toApiError(error, job.failure)
      services.log.error({ error }, toFailure(code).error)
      results[job.name] = toFailure(code)
    }
  }
  return results
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new JobDeadlineError()), ms)
  })
  try {
    return await Promise.race([answer, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** An analysis did not stop when it was told to. */
class JobDeadlineError extends BaseError {
  override readonly name = 'JobDeadlineError'

  constructor() {
    super('The time for this analysis is over')
  }
}
