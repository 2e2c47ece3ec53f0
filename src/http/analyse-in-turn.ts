import type { AnalysisTarget } from '../checks/target.js'
import { BaseError } from '../errors.js'
import type { AnalysisPart, PartServices } from './analysis-parts.js'
import { type Failure, toFailure } from './api-error.js'
import { HTTP_BOUNDS, type HttpBounds } from './bounds.js'
import { toApiError } from './send-failure.js'
import type { Services } from './services.js'

/** What each part found, or why it did not. */
export type PartResults = Partial<Record<AnalysisPart['name'], object | Failure>>

/**
 * Makes several answers on one target one after the other, each within the time that an endpoint has. For work that nobody holds a connection for.
 * A part that fails is a failure in the result; rejects only when `signal` fires.
 */
export async function analyseInTurn(
  services: PartServices & Pick<Services, 'log'>,
  { parts, target, signal }: { parts: readonly AnalysisPart[]; target: AnalysisTarget; signal: AbortSignal },
  { analysisMs, wrapUpMs }: Pick<HttpBounds, 'analysisMs' | 'wrapUpMs'> = HTTP_BOUNDS,
): Promise<PartResults> {
  const results: PartResults = {}
  for (const part of parts) {
    const soft = AbortSignal.any([signal, AbortSignal.timeout(analysisMs - wrapUpMs)])
    try {
      const job = part.analyse(services, { ...target, signal: soft })
      results[part.name] = await within(analysisMs, job)
    } catch (error) {
      signal.throwIfAborted()
      const { code } = toApiError(error, part.failure)
      services.log.error({ error }, toFailure(code).error)
      results[part.name] = toFailure(code)
    }
  }
  return results
}

async function within<T>(ms: number, job: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PartDeadlineError()), ms)
  })
  try {
    return await Promise.race([job, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** An analysis did not stop when it was told to. */
class PartDeadlineError extends BaseError {
  override readonly name = 'PartDeadlineError'

  constructor() {
    super('The time for this analysis is over')
  }
}
