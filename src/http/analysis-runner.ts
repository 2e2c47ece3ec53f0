import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../api-error.js'
import type { Question, Run } from '../reports/analysis-question.js'
import { createCoalescing } from '../scheduling/coalesce.js'
import { QueueFullError, QueueWaitEndedError } from '../scheduling/concurrency-limit.js'
import type { HttpBounds } from './bounds.js'
import { openClientDeadline } from './client-deadline.js'
import type { Services } from './services.js'

/** Runs one analysis for all who ask for the same `name` now. */
export type AnalysisRunner = ReturnType<typeof createAnalysisRunner>

/**
 * Runs analyses that clients wait for: one for all who ask for the same `name` now, when its turn
 * comes, told to stop when no caller waits or time is up.
 */
export function createAnalysisRunner(
  services: Pick<Services, 'blame' | 'clock' | 'isKnown' | 'slots'>,
  { analysisMs, wrapUpMs, turnMs }: Pick<HttpBounds, 'analysisMs' | 'wrapUpMs' | 'turnMs'>,
) {
  const jobs = createCoalescing<unknown>(services)
  const deadline = { ms: analysisMs - wrapUpMs, graceMs: wrapUpMs, blame: services.blame }
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { name, lane, isShort }: Pick<Question, 'name' | 'lane' | 'isShort'>,
    analyse: (run: Run) => Promise<unknown>,
  ): Promise<unknown> => {
    const { signal, orLate, close } = openClientDeadline(reply, deadline)
    const place = { lane, isShort: isShort(services), caller: callerOf(request) }
    const ask = { name, ...place, signal, softMs: deadline.ms, waitMs: turnMs }
    try {
      return await orLate(jobs.run(ask, analyse).catch(toBusy))
    } finally {
      close()
    }
  }
}

/** All of them together take turns as one caller: they cost nothing. */
const GUESTS = 'guests'

/** Whose turn it is among those who wait for a slot. */
export const callerOf = ({ apiKey, wallet }: FastifyRequest): string => apiKey?.id ?? wallet ?? GUESTS

/** Long enough for a slot to become free, short enough to be worth waiting for. */
const RETRY_AFTER_SECONDS = 2

/**
 * Too many waiting analyses are not a failure of this one: it was not begun, and may work the next
 * time.
 */
export function toBusy(error: unknown): never {
  if (error instanceof QueueFullError || error instanceof QueueWaitEndedError) {
    throw new ApiError('busy', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) }, cause: error })
  }
  throw error
}
