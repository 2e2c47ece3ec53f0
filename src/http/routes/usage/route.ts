import type { FastifyRequest, RouteOptions } from 'fastify'
import type { KeyRecord } from '../../../keys/key-record.js'
import { type DayUsage, USAGE_DAYS } from '../../../keys/usage-store.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { keyOf } from '../../route-config.js'
import type { Services } from '../../services.js'
import { UsageBody } from './schema.js'

/** `GET /api/usage`: what a key did, or the keys of the wallet that is signed in. */
export function usageRoute({ usage, walletKeys }: Pick<Services, 'usage' | 'walletKeys'>): RouteOptions {
  const keysOf = async (request: FastifyRequest): Promise<readonly KeyRecord[]> =>
    request.wallet === undefined ? [keyOf(request)] : walletKeys.list(request.wallet)
  return {
    method: 'GET',
    url: '/api/usage',
    config: { access: 'key-or-session' },
    schema: {
      operationId: 'readUsage',
      summary: 'What keys did, by day',
      security: [{ key: [] }, { session: [] }],
      response: {
        200: UsageBody,
        ...failureSchemas([...COMMON_FAILURES, 'session_required', 'foreign_origin', 'server_error']),
      },
    },
    handler: async (request) => {
      const keys = await keysOf(request)
      const read = await usage.read(keys.map(({ id }) => id))
      return {
        success: true,
        days: USAGE_DAYS,
        keys: keys.map(({ id, label }) => ({ id, label, days: (read.get(id) ?? []).map(toDayBody) })),
      }
    },
  }
}

const DAY_MS = 24 * 3_600_000

const toDayBody = ({ day, analyses, others }: DayUsage) => ({
  day: new Date(day * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length),
  analyses,
  others,
})
