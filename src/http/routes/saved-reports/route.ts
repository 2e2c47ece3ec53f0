import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { ApiError, type ApiErrorCode, toFailure } from '../../../api-error.js'
import { EVM_FAILURES } from '../../../reports/analyses.js'
import { readQuestion } from '../../../reports/analysis-question.js'
import type { AnswerServices } from '../../../reports/answer-question.js'
import { type SavedAnswers, VISIBILITIES, type Visibility } from '../../../saved-reports/saved-report.js'
import { requestOf, summarise } from '../../../saved-reports/summarise.js'
import { whatChanged } from '../../../saved-reports/what-changed.js'
import { createAnalysisRunner } from '../../analysis-runner.js'
import type { HttpBounds } from '../../bounds.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { toApiError } from '../../send-failure.js'
import type { Services } from '../../services.js'
import { ownerOf, toSavedReportBody } from './saved-report-body.js'
import {
  DeletedReport,
  ReportParams,
  SavedReportAnswer,
  SavedReportList,
  SaveReportAnswer,
  SaveReportBody,
  VisibilityAnswer,
  VisibilityBody,
  WhatChangedAnswer,
} from './schema.js'

type SavedReportServices = AnswerServices & Pick<Services, 'clock' | 'config' | 'savedReports' | 'slots'>

const CALLERS = [{ key: [] }, { session: [] }]
const OWNER_FAILURES = [...COMMON_FAILURES, 'session_required', 'foreign_origin', 'server_error'] as const
const ANALYSIS_FAILURES = [...OWNER_FAILURES, ...EVM_FAILURES, 'simulation_failed', 'report_too_large'] as const

/** `/api/reports`: reports that are kept, so that they can be shown. */
export function savedReportRoutes(services: SavedReportServices, bounds: HttpBounds): RouteOptions[] {
  const { savedReports, config } = services
  const run = createAnalysisRunner(services, bounds)
  const chainNameOf = (id: string) => config.chains.find((chain) => String(chain.id) === id)?.name ?? 'Solana'

  /** All answers on a target, each of which may be a failure. Throws where all are. */
  async function analyse(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<SavedAnswers> {
    const question = readQuestion(body, config)
    const outcome = await run(request, reply, question, (signal, caller) => question.work(services, { signal, caller }))
    const failures: unknown[] = []
    const answers = question.answers.map(({ name, failure, write }): [string, object] => {
      try {
        return [name, write(services, outcome)]
      } catch (error) {
        failures.push(error)
        return [name, toFailure(toApiError(error, failure).code)]
      }
    })
    if (failures.length === answers.length) throw failures[0]
    return Object.fromEntries(answers)
  }

  const describe = (summary: string, success: object, failures: readonly ApiErrorCode[], status = 200) => ({
    summary,
    security: CALLERS,
    response: { [status]: success, ...failureSchemas(failures) },
  })
  const ofOne = [...OWNER_FAILURES, 'not_found', 'report_not_found'] as const

  return [
    {
      method: 'POST',
      url: '/api/reports',
      config: { access: 'key-or-session', limitClass: 'analysis', failure: 'simulation_failed' },
      schema: {
        ...describe('Analyse and keep the report', SaveReportAnswer, [...ANALYSIS_FAILURES, 'invalid_visibility'], 201),
        body: SaveReportBody,
      },
      handler: async (request, reply) => {
        const visibility = readVisibility(request.body) ?? 'link'
        const answers = await analyse(request, reply, request.body)
        const summary = summarise(answers, chainNameOf)
        if (summary === undefined) throw new ApiError('simulation_failed')
        const outcome = await savedReports.save({ owner: ownerOf(request), visibility, summary, answers })
        if (outcome === 'too-large') throw new ApiError('report_too_large')
        const report = toSavedReportBody(outcome.report, config)
        return reply
          .code(201)
          .header('location', `/api/reports/${report.id}`)
          .send({ success: true, ...report, forgotten: outcome.forgotten })
      },
    },
    {
      method: 'GET',
      url: '/api/reports',
      config: { access: 'key-or-session' },
      schema: describe('Reports that you keep', SavedReportList, OWNER_FAILURES),
      handler: async (request) => {
        const reports = await savedReports.list(ownerOf(request))
        return { success: true, reports: reports.map((each) => toSavedReportBody(each, config)) }
      },
    },
    {
      method: 'GET',
      url: '/api/reports/:id',
      config: { access: 'key-or-session' },
      schema: { ...describe('A report that is kept', SavedReportAnswer, ofOne), params: ReportParams },
      handler: async (request) => {
        const report = await savedReports.find(idOf(request), ownerOf(request))
        const answers = report && (await savedReports.readAnswers(report.id))
        if (report === undefined || answers === undefined) throw new ApiError('report_not_found')
        return { success: true, report: toSavedReportBody(report, config), answers }
      },
    },
    {
      method: 'PATCH',
      url: '/api/reports/:id',
      config: { access: 'key-or-session' },
      schema: {
        ...describe('Show a report to others, or keep it private', VisibilityAnswer, [...ofOne, 'invalid_visibility']),
        params: ReportParams,
        body: VisibilityBody,
      },
      handler: async (request) => {
        const visibility = readVisibility(request.body)
        if (visibility === undefined) throw new ApiError('invalid_visibility')
        const id = idOf(request)
        if (!(await savedReports.setVisibility(id, ownerOf(request), visibility)))
          throw new ApiError('report_not_found')
        return { success: true, id, visibility }
      },
    },
    {
      method: 'DELETE',
      url: '/api/reports/:id',
      config: { access: 'key-or-session' },
      schema: { ...describe('Delete a report', DeletedReport, ofOne), params: ReportParams },
      handler: async (request) => {
        const id = idOf(request)
        if (!(await savedReports.remove(id, ownerOf(request)))) throw new ApiError('report_not_found')
        return { success: true, id }
      },
    },
    {
      method: 'POST',
      url: '/api/reports/:id/check',
      config: { access: 'key-or-session', limitClass: 'analysis', failure: 'simulation_failed' },
      schema: {
        ...describe('Analyse the target of a report again, and say what changed', WhatChangedAnswer, [
          ...ANALYSIS_FAILURES,
          'not_found',
          'report_not_found',
        ]),
        params: ReportParams,
      },
      handler: async (request, reply) => {
        const report = await savedReports.find(idOf(request), ownerOf(request))
        const before = report && (await savedReports.readAnswers(report.id))
        if (before === undefined) throw new ApiError('report_not_found')
        const answers = await analyse(request, reply, requestOf(before))
        const changes = whatChanged(before, answers)
        if (changes === undefined) throw new ApiError('simulation_failed')
        return { success: true, changes, answers }
      },
    },
  ]
}

const idOf = ({ params }: FastifyRequest) => (params as { id: string }).id

/** Absent is undefined; anything that is no visibility throws. */
function readVisibility(body: unknown): Visibility | undefined {
  const { visibility } = (typeof body === 'object' && body !== null ? body : {}) as { visibility?: unknown }
  if (visibility === undefined) return undefined
  const known = VISIBILITIES.find((each) => each === visibility)
  if (known === undefined) throw new ApiError('invalid_visibility')
  return known
}
