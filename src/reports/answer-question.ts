import { type Failure, toFailure } from '../api-error.js'
import type { Log } from '../log.js'
import type { Blame } from '../scheduling/machine-load.js'
import { withDeadline } from '../scheduling/with-deadline.js'
import type { AnalysisName, AnalysisServices, ReportServices } from './analyses.js'
import { ANALYSIS_BOUNDS, type AnalysisBounds } from './analysis-bounds.js'
import type { Question } from './analysis-question.js'
import { toApiError } from './to-api-error.js'

export type AnswerServices = AnalysisServices & ReportServices & { log: Log; blame: Blame }

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
  const deadline = { ms: analysisMs - wrapUpMs, graceMs: wrapUpMs, signal, blame: services.blame }
  const outcome = withDeadline(deadline, (stop) => work(services, { caller, signal: stop }))
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
