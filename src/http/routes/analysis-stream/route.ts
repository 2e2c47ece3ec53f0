import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { ProgressStep } from '../../../checks/target.js'
import { ANALYSIS_PARTS, type PartServices } from '../../analysis-parts.js'
import { ANALYSIS_FAILURES, callerOf, toBusy } from '../../analysis-route.js'
import { type ApiErrorCode, toFailure } from '../../api-error.js'
import type { HttpBounds } from '../../bounds.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { parseAnalysisRequest } from '../../parse-analysis-request.js'
import { isSolanaRequest, parseSolanaRequest } from '../../parse-solana-request.js'
import { runForClient } from '../../run-for-client.js'
import { toApiError } from '../../send-failure.js'
import type { Services } from '../../services.js'
import { AnalysisRequestBody } from '../execute-simulation/schema.js'
import { SolanaRequestBody } from '../solana-token-checks/schema.js'
import { toResponse as toSolanaResponse } from '../solana-token-checks/to-response.js'
import { EventStream } from './schema.js'

type StreamServices = PartServices & Pick<Services, 'checkSolanaToken' | 'log' | 'slots'>

/** One answer within the stream, on a target that is known. */
interface Part {
  name: string
  failure: ApiErrorCode
  analyse(signal: AbortSignal, onProgress: (step: ProgressStep) => void): Promise<object>
}

/** What is to be answered about the target of a request: on Solana one answer has it all. */
function partsOf(body: unknown, services: StreamServices): Part[] {
  const { config, clock, checkSolanaToken } = services
  if (isSolanaRequest(body)) {
    const target = parseSolanaRequest(body, config)
    const analyse = async (signal: AbortSignal) =>
      toSolanaResponse(await checkSolanaToken({ ...target, signal }), { ...config, now: clock.now() })
    return [{ name: 'solana', failure: 'simulation_failed', analyse }]
  }
  const target = parseAnalysisRequest(body, config)
  return ANALYSIS_PARTS.map(({ name, failure, analyse }) => ({
    name,
    failure,
    analyse: (signal, onProgress) => analyse(services, { ...target, signal, onProgress }),
  }))
}

/**
 * `POST /api/analysis/stream`: everything about one target, told as it becomes known. Counts as one analysis, for a key or for a wallet that is signed in.
 * What is wrong with the request is an ordinary failure; what goes wrong later is an event.
 */
export function analysisStreamRoute(services: StreamServices, bounds: HttpBounds): RouteOptions {
  const deadline = { softMs: bounds.analysisMs - bounds.wrapUpMs, hardMs: bounds.analysisMs }

  /** Runs all parts and tells of each once: when it is over, or when the time is. */
  async function runAll(parts: readonly Part[], { request, reply, send }: Watcher): Promise<void> {
    const missing = new Set(parts)
    const fail = (part: Part, error: unknown) => {
      if (!missing.delete(part)) return
      const { code, status } = toApiError(error, part.failure)
      if (status === 500 && !reply.raw.destroyed) {
        services.log.error({ requestId: request.id, error }, toFailure(code).error)
      }
      send('failure', { name: part.name, ...toFailure(code) })
    }
    const run = async (part: Part, signal: AbortSignal) => {
      try {
        const analyse = () => part.analyse(signal, (step) => send('progress', step))
        const report = await services.slots.run({ caller: callerOf(request), signal }, analyse).catch(toBusy)
        if (missing.delete(part)) send('report', { name: part.name, report })
      } catch (error) {
        fail(part, error)
      }
    }
    await runForClient(reply, deadline, (signal) => Promise.all(parts.map((part) => run(part, signal)))).catch(
      (error) => {
        for (const part of missing) fail(part, error)
      },
    )
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
      const parts = partsOf(request.body, services)
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
