import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { type AnalysisJob, type JobRun, type JobServices, planAnalysis } from '../../analysis-jobs.js'
import { ANALYSIS_FAILURES, callerOf, toBusy } from '../../analysis-route.js'
import { toFailure } from '../../api-error.js'
import type { HttpBounds } from '../../bounds.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { runForClient } from '../../run-for-client.js'
import { toApiError } from '../../send-failure.js'
import type { Services } from '../../services.js'
import { AnalysisRequestBody } from '../execute-simulation/schema.js'
import { SolanaRequestBody } from '../solana-token-checks/schema.js'
import { EventStream } from './schema.js'

type StreamServices = JobServices & Pick<Services, 'log' | 'slots'>

/**
 * `POST /api/analysis/stream`: everything about one target, told as it becomes known. Counts as one
 * analysis, for a key or for a wallet that is signed in. What is wrong with the request is an
 * ordinary failure; what goes wrong later is an event.
 */
export function analysisStreamRoute(services: StreamServices, bounds: HttpBounds): RouteOptions {
  const deadline = { softMs: bounds.analysisMs - bounds.wrapUpMs, hardMs: bounds.analysisMs }

  /** Runs all parts and tells of each once: when it is over, or when the time is. */
  async function runAll(parts: readonly AnalysisJob[], { request, reply, send }: Watcher): Promise<void> {
    const missing = new Set(parts)
    const fail = (part: AnalysisJob, error: unknown) => {
      if (!missing.delete(part)) return
      const { code, status } = toApiError(error, part.failure)
      if (status === 500 && !reply.raw.destroyed) {
        services.log.error({ requestId: request.id, error }, toFailure(code).error)
      }
      send('failure', { name: part.name, ...toFailure(code) })
    }
    const run = async (part: AnalysisJob, signal: AbortSignal) => {
      try {
        const onProgress: JobRun['onProgress'] = (step) => send('progress', step)
        const report = await part.analyse(services, { caller: callerOf(request), signal, onProgress })
        if (missing.delete(part)) send('report', { name: part.name, report })
      } catch (error) {
        fail(part, error)
      }
    }
    const runParts = (signal: AbortSignal) => Promise.all(parts.map((part) => run(part, signal)))
    const takeTurn = (signal: AbortSignal) =>
      services.slots
        .run({ caller: callerOf(request), signal, waitMs: bounds.turnMs }, () => runParts(signal))
        .catch(toBusy)
    await runForClient(reply, deadline, takeTurn).catch((error) => {
      for (const part of missing) fail(part, error)
    })
    send('end', {})
  }

  return {
    method: 'POST',
    url: '/api/analysis/stream',
    schema: {
      summary: 'All checks at once, with progress',
      security: [{ key: [] }, { session: [] }],
      body: Type.Union([AnalysisRequestBody, SolanaRequestBody]),
      response: {
        200: { description: 'The events.', content: { 'text/event-stream': { schema: EventStream } } },
        ...failureSchemas([
          ...COMMON_FAILURES,
          ...ANALYSIS_FAILURES,
          'session_required',
          'foreign_origin',
          'server_error',
        ]),
      },
    },
    config: { access: 'key-or-session', limitClass: 'analysis' },
    handler: async (request, reply) => {
      const parts = planAnalysis(request.body, services.config)
      const events = new PassThrough()
      const send = (event: string, data: object) => {
        if (events.writable) events.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      }
      reply.raw.once('close', () => events.destroy())
      void runAll(parts, { request, reply, send }).then(() => events.end())
      // A proxy that waits for the whole answer would defeat the purpose.
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(events)
    },
  }
}

/** Who waits, and how he is told. */
interface Watcher {
  request: FastifyRequest
  reply: FastifyReply
  send(event: string, data: object): void
}
