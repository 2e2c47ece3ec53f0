import { PassThrough } from 'node:stream'
import type { RouteOptions } from 'fastify'
import { ApiError } from '../../../api-error.js'
import { toAlertBody } from '../../../watching/to-alert-body.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { keyOf } from '../../route-config.js'
import type { Services } from '../../services.js'
import { AlertEvents } from './schema.js'

/** Readers of one key at a time: each asks the store once a second. */
const MAX_READERS_OF_KEY = 4
/** Of all keys. */
const MAX_READERS = 256
const LOOK_MS = 1_000
/** A proxy that hears nothing for a minute takes the connection for dead. */
const SIGN_OF_LIFE_MS = 15_000
/** The client comes back with the id of its last event, perhaps at another instance. */
const MAX_STREAM_MS = 3_600_000
/** Alerts that are read in one go. */
const MAX_ALERTS = 100

/** `GET /api/watches/events`: alerts as they come. */
export function watchEventsRoute(
  { watches }: Pick<Services, 'watches'>,
  { isStopping }: { isStopping(): boolean },
): RouteOptions {
  const readers = new Map<string, number>()
  let all = 0

  return {
    method: 'GET',
    url: '/api/watches/events',
    config: { access: 'key' },
    schema: {
      summary: 'Alerts as they come',
      response: {
        200: { description: 'The events.', content: { 'text/event-stream': { schema: AlertEvents } } },
        ...failureSchemas([...COMMON_FAILURES, 'server_error', 'busy']),
      },
    },
    handler: async (request, reply) => {
      const { id: keyId } = keyOf(request)
      if (all >= MAX_READERS || (readers.get(keyId) ?? 0) >= MAX_READERS_OF_KEY) {
        throw new ApiError('busy', { headers: { 'retry-after': '60' } })
      }
      let place = readPlace(request.headers['last-event-id']) ?? (await watches.newestPlace(keyId))
      readers.set(keyId, (readers.get(keyId) ?? 0) + 1)
      all += 1
      const events = new PassThrough()
      const endAt = performance.now() + MAX_STREAM_MS
      let spokeAt = performance.now()
      let timer: NodeJS.Timeout
      const speak = (text: string) => {
        spokeAt = performance.now()
        events.write(text)
      }
      const look = async () => {
        for (const alert of await watches.listAlerts(keyId, { after: place, limit: MAX_ALERTS })) {
          place = alert.place
          speak(`id: ${place}\nevent: alert\ndata: ${JSON.stringify(toAlertBody(alert))}\n\n`)
        }
        if (performance.now() - spokeAt >= SIGN_OF_LIFE_MS) speak(':\n\n')
      }
      const turn = () => {
        if (!events.writable || isStopping() || performance.now() >= endAt) return void events.end()
        // A client that does not read gets no more to keep for it.
        const isRead = events.writableLength < MAX_UNREAD_BYTES
        void (isRead ? look() : Promise.resolve())
          .catch(() => events.end())
          .finally(() => {
            timer = setTimeout(turn, LOOK_MS)
          })
      }
      reply.raw.once('close', () => {
        clearTimeout(timer)
        events.destroy()
        all -= 1
        const left = (readers.get(keyId) ?? 1) - 1
        if (left > 0) readers.set(keyId, left)
        else readers.delete(keyId)
      })
      speak(':\n\n')
      turn()
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(events)
    },
  }
}

const MAX_UNREAD_BYTES = 1_000_000

function readPlace(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
