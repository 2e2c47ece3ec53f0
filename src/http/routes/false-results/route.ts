import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { ApiError } from '../../../api-error.js'
import { EVM_FAILURES } from '../../../reports/analyses.js'
import type { AnswerServices } from '../../../reports/answer-question.js'
import { toIsoTime } from '../../../reports/fields/block.js'
import type { Complaint } from '../../../saved-reports/false-result.js'
import type { ReportSummary, SavedAnswers } from '../../../saved-reports/saved-report.js'
import { summarise } from '../../../saved-reports/summarise.js'
import type { HttpBounds } from '../../bounds.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import type { Services } from '../../services.js'
import { createAnswerMaker, nameChains } from '../saved-reports/make-answers.js'
import { ownerOf } from '../saved-reports/saved-report-body.js'
import { parseComplaint } from './parse-complaint.js'
import { FalseResultAnswer, FalseResultBody } from './schema.js'

type FalseResultServices = AnswerServices &
  Pick<Services, 'clock' | 'config' | 'falseResults' | 'log' | 'savedReports' | 'slots'>

const FAILURES = [
  ...COMMON_FAILURES,
  ...EVM_FAILURES,
  'session_required',
  'foreign_origin',
  'server_error',
  'simulation_failed',
  'report_too_large',
  'report_not_found',
  'invalid_message',
  'invalid_expected',
  'invalid_seen',
] as const

/**
 * `POST /api/false-results`: a result that the caller holds to be wrong, for the operator. The
 * answers that are kept are the service's own, of a saved report or made once more, so that nothing
 * that a caller sends is taken for a report.
 */
export function falseResultRoute(services: FalseResultServices, bounds: HttpBounds): RouteOptions {
  const { savedReports, falseResults, config, log } = services
  const makeAnswers = createAnswerMaker(services, bounds)

  async function answersFor(request: FastifyRequest, reply: FastifyReply): Promise<SavedAnswers> {
    const { report: id } = (request.body ?? {}) as { report?: unknown }
    if (id === undefined) return makeAnswers(request, reply, request.body)
    const report = typeof id === 'string' ? await savedReports.find(id, ownerOf(request)) : undefined
    const answers = report && (await savedReports.readAnswers(report.id))
    if (answers === undefined) throw new ApiError('report_not_found')
    return answers
  }

  return {
    method: 'POST',
    url: '/api/false-results',
    config: { access: 'key-or-session', limitClass: 'analysis', failure: 'simulation_failed' },
    schema: {
      operationId: 'reportFalseResult',
      summary: 'Say that a result is wrong',
      security: [{ key: [] }, { session: [] }],
      body: FalseResultBody,
      response: { 201: FalseResultAnswer, ...failureSchemas(FAILURES) },
    },
    handler: async (request, reply) => {
      const complaint = parseComplaint(request.body)
      const answers = await answersFor(request, reply)
      const summary = summarise(answers, nameChains(config))
      if (summary === undefined) throw new ApiError('simulation_failed')
      const kept = await falseResults.keep({ owner: ownerOf(request), summary, answers, complaint })
      if (kept === 'too-large') throw new ApiError('report_too_large')
      const { id, createdAt, expiresAt } = kept
      log.info({ id, level: summary.overall.level, expected: complaint.expected }, 'a result is held to be wrong')
      return reply.code(201).send({
        ...{ success: true, id, createdAt: toIsoTime(createdAt), expiresAt: toIsoTime(expiresAt) },
        ...{ overall: summary.overall, block: summary.block, isAsSeen: isAsSeen(complaint, summary, answers) },
      })
    },
  }
}

/** What was not said cannot differ. */
function isAsSeen({ seen }: Complaint, { overall }: ReportSummary, answers: SavedAnswers): boolean | null {
  if (seen === undefined || Object.keys(seen).length === 0) return null
  const { level, score, digest } = seen
  const digests = Object.values(answers).map((answer) => (answer as { inputs?: { digest?: string } }).inputs?.digest)
  return (
    (level === undefined || level === overall.level) &&
    (score === undefined || score === overall.score) &&
    (digest === undefined || digests.includes(digest))
  )
}
