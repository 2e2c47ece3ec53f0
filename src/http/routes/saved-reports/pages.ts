import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { ApiError } from '../../../api-error.js'
import type { SavedReport } from '../../../saved-reports/saved-report.js'
import { failureSchemas, OPEN_FAILURES } from '../../failure-schema.js'
import type { Services } from '../../services.js'
import { DOCUMENT_HEADERS, readPortalPage } from '../portal/serve-portal.js'
import { linkTo, toSavedReportBody } from './saved-report-body.js'
import { ReportParams, SavedReportAnswer } from './schema.js'
import { writeBadge } from './write-badge.js'
import { SHOWN_ELSEWHERE, writeCard } from './write-card.js'
import { writePreview } from './write-preview.js'

/** Spares the service a busy page; a deleted report is soon gone all the same. */
const SHOWN_FOR = 'public, max-age=300'

/** `/r/<id>`: what a link to a report shows to everyone who has it. Private ones are not there. */
export function sharedReportPages(
  { savedReports, config }: Pick<Services, 'savedReports' | 'config'>,
  portalPage = readPortalPage(),
): RouteOptions[] {
  const find = async ({ params }: FastifyRequest): Promise<SavedReport> => {
    const report = await savedReports.find((params as { id: string }).id)
    if (report === undefined) throw new ApiError('report_not_found')
    return report
  }
  const page = (url: string, handler: RouteOptions['handler']): RouteOptions => ({
    ...{ method: 'GET', url, handler },
    config: { access: 'shown' },
    schema: { hide: true },
  })
  const asElsewhere = (reply: FastifyReply) => {
    for (const [name, value] of Object.entries(SHOWN_ELSEWHERE)) {
      if (value === undefined) reply.removeHeader(name)
      else reply.header(name, value)
    }
    return reply.header('cache-control', SHOWN_FOR)
  }

  return [
    page('/r/:id', async (request, reply) => {
      const report = await find(request).catch((error: unknown) => {
        // Its owner sees a private report here too: the page asks for it with the session.
        if (error instanceof ApiError && error.code === 'report_not_found' && portalPage) return undefined
        throw error
      })
      if (portalPage === undefined)
        return asElsewhere(reply)
          .type(HTML)
          .send(report && writeCard(report, urlOf(report)))
      reply.headers(DOCUMENT_HEADERS).header('cache-control', 'no-cache').type(HTML)
      if (report === undefined) return reply.code(404).send(portalPage)
      return reply.send(portalPage.replace(TITLE, () => writePreview(report, urlOf(report))))
    }),
    page('/r/:id/badge.svg', async (request, reply) =>
      asElsewhere(reply)
        .type('image/svg+xml; charset=utf-8')
        .send(writeBadge(await find(request))),
    ),
    page('/r/:id/card', async (request, reply) => {
      const report = await find(request)
      return asElsewhere(reply)
        .type(HTML)
        .send(writeCard(report, urlOf(report)))
    }),
    {
      method: 'GET',
      url: '/r/:id/report.json',
      config: { access: 'shown' },
      schema: {
        operationId: 'readSharedReport',
        summary: 'A report that is shown by a link',
        security: [],
        params: ReportParams,
        response: { 200: SavedReportAnswer, ...failureSchemas([...OPEN_FAILURES, 'not_found', 'report_not_found']) },
      },
      handler: async (request) => {
        const report = await find(request)
        const answers = await savedReports.readAnswers(report.id)
        if (answers === undefined) throw new ApiError('report_not_found')
        return { success: true, report: toSavedReportBody(report, config), answers }
      },
    },
    page('/r/:id/answers/:name', async (request) => {
      const report = await find(request)
      const { name } = request.params as { name: string }
      const answers = Object.entries((await savedReports.readAnswers(report.id)) ?? {})
      const answer = answers.find(([each]) => each === name)?.[1]
      if (answer === undefined) throw new ApiError('report_not_found')
      return answer
    }),
  ]

  function urlOf({ id }: SavedReport): string {
    return linkTo(id, config)
  }
}

const HTML = 'text/html; charset=utf-8'
/** What the page's own title is, which a preview replaces. */
const TITLE = /<title>[^<]*<\/title>\s*(<meta name="description"[^>]*>)?/
