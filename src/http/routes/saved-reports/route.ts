import type { FastifyRequest, RouteOptions } from 'fastify'
import { ApiError, type ApiErrorCode } from '../../../api-error.js'
import { EVM_FAILURES } from '../../../reports/analyses.js'
import type { AnswerServices } from '../../../reports/answer-question.js'
import { VISIBILITIES, type Visibility } from '../../../saved-reports/saved-report.js'
import { requestOf, summarise } from '../../../saved-reports/summarise.js'
import { whatChanged } from '../../../saved-reports/what-changed.js'
import type { HttpBounds } from '../../bounds.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import type { Services } from '../../services.js'
import { createAnswerMaker, nameChains } from './make-answers.js'
import { makerOf, ownerOf, toSavedReportBody } from './saved-report-body.js'
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
  const makeAnswers = createAnswerMaker(services, bounds)
  const chainNameOf = nameChains(config)

  const describe = (
    name: { operationId: string; summary: string },
    success: object,
    failures: readonly ApiErrorCode[],
    status = 200,
  ) => ({
    ...name,
    security: CALLERS,
    response: { [status]: success, ...failureSchemas(failures) },
  })
  const ofOne = [...OWNER_FAILURES, 'not_found', 'report_not_found'] as const

  return [
    {
      method: 'POST',
      url: '/api/reports',
      config: { access: 'key-session-or-guest', limitClass: 'analysis', failure: 'simulation_failed' },
      schema: {
        ...describe(
          { operationId: 'saveReport', summary: 'Analyse and keep the report' },
          SaveReportAnswer,
          [...ANALYSIS_FAILURES, 'guest_limit', 'invalid_visibility'],
          201,
        ),
        security: [...CALLERS, {}],
        body: SaveReportBody,
      },
      handler: async (request, reply) => {
        const visibility = readVisibility(request.body) ?? 'link'
        const owner = makerOf(request)
        // What a guest hid would be lost to all.
        if (owner.kind === 'guest' && visibility === 'private') throw new ApiError('authorization_required')
        const answers = await makeAnswers(request, reply, request.body)
        const summary = summarise(answers, chainNameOf)
        if (summary === undefined) throw new ApiError('simulation_failed')
        // An address is not one person's: the links of others that it made are not told.
        const outcome = await savedReports.save({ owner, visibility, summary, answers })
        if (outcome === 'too-large') throw new ApiError('report_too_large')
        const report = toSavedReportBody(outcome.report, config)
        return reply
          .code(201)
          .header('location', `/api/reports/${report.id}`)
          .send({ success: true, ...report, forgotten: owner.kind === 'guest' ? [] : outcome.forgotten })
      },
    },
    {
      method: 'GET',
      url: '/api/reports',
      config: { access: 'key-or-session' },
      schema: describe(
        { operationId: 'listReports', summary: 'Reports that you keep' },
        SavedReportList,
        OWNER_FAILURES,
      ),
      handler: async (request) => {
        const reports = await savedReports.list(ownerOf(request))
        return { success: true, reports: reports.map((each) => toSavedReportBody(each, config)) }
      },
    },
    {
      method: 'GET',
      url: '/api/reports/:id',
      config: { access: 'key-or-session' },
      schema: {
        ...describe({ operationId: 'readReport', summary: 'A report that is kept' }, SavedReportAnswer, ofOne),
        params: ReportParams,
      },
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
        ...describe(
          { operationId: 'showReport', summary: 'Show a report to others, or keep it private' },
          VisibilityAnswer,
          [...ofOne, 'invalid_visibility'],
        ),
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
      schema: {
        ...describe({ operationId: 'deleteReport', summary: 'Delete a report' }, DeletedReport, ofOne),
        params: ReportParams,
      },
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
        ...describe(
          { operationId: 'checkReportAgain', summary: 'Analyse the target of a report again, and say what changed' },
          WhatChangedAnswer,
          [...ANALYSIS_FAILURES, 'not_found', 'report_not_found'],
        ),
        params: ReportParams,
      },
      handler: async (request, reply) => {
        const report = await savedReports.find(idOf(request), ownerOf(request))
        const before = report && (await savedReports.readAnswers(report.id))
        if (before === undefined) throw new ApiError('report_not_found')
        const answers = await makeAnswers(request, reply, requestOf(before))
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
