import type { RouteOptions } from 'fastify'
import { toStatsBody } from '../../../outcomes/to-stats-body.js'
import { failureSchemas, OPEN_FAILURES } from '../../failure-schema.js'
import type { Services } from '../../services.js'
import { StatsBody } from './schema.js'

/**
 * `GET /api/stats`: how right the verdicts of this installation were. Sums alone: which tokens are
 * watched is for those who watch them.
 */
export function statsRoute({ stats }: Pick<Services, 'stats'>): RouteOptions {
  return {
    method: 'GET',
    url: '/api/stats',
    config: { access: 'counted' },
    schema: {
      operationId: 'readStats',
      summary: 'What became of verdicts',
      security: [],
      response: { 200: StatsBody, ...failureSchemas(OPEN_FAILURES) },
    },
    handler: async () => ({ success: true, ...toStatsBody(await stats.read()) }),
  }
}
