import { type Failure, toFailure } from '../api-error.js'
import { BaseError } from '../errors.js'
import type { Log } from '../log.js'
import type { AnalysisName, AnalysisServices, ReportServices } from './analyses.js'
import { ANALYSIS_BOUNDS, type AnalysisBounds } from './analysis-bounds.js'
import type { Question } from './analysis-question.js'
import { toApiError } from './to-api-error.js'

export type AnswerServices = AnalysisServices & ReportServices & { log: Log }

/** Each answer, or why there is none. */
export type Answers = Partial<Record<AnalysisName, object | Failure>>

/**
 * Makes all answers to one question, within the time that an endpoint has. For work without an open
 * connection. An answer that fails is a failure in the result; rejects only when `signal` fires.
 */
export async function answerQuestion(
  services: AnswerServices,
  { answers, work }: Question,
  { caller, signal }: { caller: string; signal: AbortSignal },
  { analysisMs, wrapUpMs }: AnalysisBounds = ANALYSIS_BOUNDS,
): Promise<Answers> {
  const soft = AbortSignal.any([signal, AbortSignal.timeout(analysisMs - wrapUpMs)])
  const outcome = within(analysisMs, work(services, { caller, signal: soft }))
  const results: Answers = {}
  for (const { name, failure, write } of answers) {
    try {
      results[name] = write(services, await outcome)
    } catch (error) {
      signal.throwIfAborted()
      const { code } = toApiError(error, failure)
      services.log.error({ error }, toFailure(code).error)
      results[name] = toFailure(code)
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
