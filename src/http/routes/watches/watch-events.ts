import type { RouteOptions } from 'fastify'
import { toAlertBody } from '../../../watching/to-alert-body.js'
import { createEventStreams } from '../../event-streams.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { keyOf } from '../../route-config.js'
import type { Services } from '../../services.js'
import { AlertEvents } from './schema.js'

/** Alerts that are read in one go. */
const MAX_ALERTS = 100

/** `GET /api/watches/events`: alerts as they come. */
export function watchEventsRoute(
  { watches }: Pick<Services, 'watches'>,
  stopping: { isStopping(): boolean },
): RouteOptions {
  const stream = createEventStreams(stopping)
  return {
    method: 'GET',
    url: '/api/watches/events',
    config: { access: 'key' },
    schema: {
      operationId: 'streamAlerts',
      summary: 'Alerts as they come',
      response: {
        200: { description: 'The events.', content: { 'text/event-stream': { schema: AlertEvents } } },
        ...failureSchemas([...COMMON_FAILURES, 'server_error', 'busy']),
      },
    },
    handler: (request, reply) => {
      const { id: caller } = keyOf(request)
      return stream(request, reply, {
        caller,
        newestPlace: () => watches.newestPlace(caller),
        read: async (after) => {
          const alerts = await watches.listAlerts(caller, { after, limit: MAX_ALERTS })
          return alerts.map((alert) => ({ name: 'alert', place: alert.place, data: toAlertBody(alert) }))
        },
      })
    },
  }
}
