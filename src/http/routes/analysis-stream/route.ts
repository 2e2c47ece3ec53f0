import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { toFailure } from '../../../api-error.js'
import type { ProgressStep } from '../../../checks/target.js'
import { EVM_ANALYSES, EVM_FAILURES, WALLET_FAILURES } from '../../../reports/analyses.js'
import { type Answer, type Question, readQuestion } from '../../../reports/analysis-question.js'
import type { AnswerServices } from '../../../reports/answer-question.js'
import { parseWalletRequest } from '../../../reports/phishing/parse-wallet-request.js'
import { PhishingRequestBody } from '../../../reports/phishing/schema.js'
import { AnalysisRequestBody } from '../../../reports/simulation/schema.js'
import { SolanaRequestBody } from '../../../reports/solana/schema.js'
import { createUsualDurations } from '../../../scheduling/usual-durations.js'
import { callerOf, toBusy } from '../../analysis-runner.js'
import type { HttpBounds } from '../../bounds.js'
import { openClientDeadline } from '../../client-deadline.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { toApiError } from '../../send-failure.js'
import type { Services } from '../../services.js'
import { EventStream } from './schema.js'

type StreamServices = AnswerServices & Pick<Services, 'slots'>

/**
 * `POST /api/analysis/stream`: everything about one target, told as it becomes known. Counts as one
 * analysis, for a key or for a wallet that is signed in, or as one of the few of a guest. What is
 * wrong with the request is an ordinary failure; what goes wrong later is an event.
 */
export function analysisStreamRoute(
  services: StreamServices,
  { bounds, isStopping }: { bounds: HttpBounds; isStopping(): boolean },
): RouteOptions {
  const { analysisMs, wrapUpMs, turnMs } = bounds
  const deadline = { ms: analysisMs - wrapUpMs, graceMs: wrapUpMs, blame: services.blame }
  const durations = createUsualDurations()

  /** Does the work and tells of each answer: when it is over, or when the time is. */
  async function tellAll({ lane, isShort, answers, work }: Question, { request, reply, send }: Watcher): Promise<void> {
    const caller = callerOf(request)
    const kind = `${lane} ${answers.map(({ name }) => name).join()}`
    const askedAt = services.clock.monotonic()
    send('expected', { ...durations.of(kind), mostMs: analysisMs })
    const fail = ({ name, failure }: Answer, error: unknown) => {
      const { code, status } = toApiError(error, failure)
      if (status === 500 && !reply.raw.destroyed) {
        services.log.error({ requestId: request.id, error }, toFailure(code).error)
      }
      // As for other answers: elsewhere it may well succeed.
      send('failure', { name, ...toFailure(status === 500 && isStopping() ? 'busy' : code) })
    }
    const tell = (answer: Answer, outcome: unknown) => {
      try {
        send('report', { name: answer.name, report: answer.write(services, outcome) })
      } catch (error) {
        fail(answer, error)
      }
    }
    const { signal, orLate, close } = openClientDeadline(reply, deadline)
    const run = { caller, signal, onProgress: (step: ProgressStep) => send('progress', step) }
    const place = { caller, lane, isShort: isShort(services), signal, waitMs: turnMs }
    const takeTurn = () => services.slots.run(place, () => work(services, run))
    try {
      const outcome = await orLate(takeTurn().catch(toBusy))
      durations.note(kind, services.clock.monotonic() - askedAt)
      for (const answer of answers) tell(answer, outcome)
    } catch (error) {
      for (const answer of answers) fail(answer, error)
    } finally {
      close()
    }
    send('end', {})
  }

  return {
    method: 'POST',
    url: '/api/analysis/stream',
    schema: {
      operationId: 'streamAnalysis',
      summary: 'All checks at once, with progress',
      security: [{ key: [] }, { session: [] }, {}],
      body: Type.Union([AnalysisRequestBody, PhishingRequestBody, SolanaRequestBody]),
      response: {
        200: { description: 'The events.', content: { 'text/event-stream': { schema: EventStream } } },
        ...failureSchemas([
          ...COMMON_FAILURES,
          ...EVM_FAILURES,
          ...WALLET_FAILURES,
          'session_required',
          'foreign_origin',
          'guest_limit',
          'server_error',
        ]),
      },
    },
    config: { access: 'key-session-or-guest', limitClass: 'analysis' },
    handler: async (request, reply) => {
      const { body } = request
      // What a wallet is asked for is a question to one of the checks.
      const isConsent = parseWalletRequest(body, services.config) !== undefined
      const question = readQuestion(body, services.config, isConsent ? ['phishing'] : EVM_ANALYSES)
      const events = new PassThrough()
      const send = (event: string, data: object) => {
        if (events.writable) events.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      }
      reply.raw.once('close', () => events.destroy())
      void tellAll(question, { request, reply, send }).then(() => events.end())
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
