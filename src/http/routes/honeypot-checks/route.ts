import type { RouteOptions } from 'fastify'
import { analysisRoute } from '../../analysis-route.js'
import type { HttpBounds } from '../../bounds.js'
import type { Services } from '../../services.js'
import { AnalysisRequestBody } from '../execute-simulation/schema.js'
import { HoneypotReportBody } from './schema.js'
import { toResponse } from './to-response.js'

/** `POST /api/honeypot/honeypot-checks`: taxes and traps now, in 24 hours and in 7 days. */
export function honeypotChecksRoute(
  services: Pick<Services, 'config' | 'checkHoneypot' | 'slots'>,
  bounds: HttpBounds,
): RouteOptions {
  return analysisRoute({
    services,
    bounds,
    url: '/api/honeypot/honeypot-checks',
    failure: 'honeypot_failed',
    schema: {
      summary: 'Honeypot check in three time windows',
      body: AnalysisRequestBody,
      response: { 200: HoneypotReportBody },
    },
    analyse: async (target) => toResponse(await services.checkHoneypot(target), services.config),
  })
}
