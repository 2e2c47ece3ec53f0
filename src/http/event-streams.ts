import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../api-error.js'

/** Readers of one caller at a time: each asks the store once a second. */
const MAX_READERS_OF_CALLER = 4
/** Of all callers, of one kind of events. */
const MAX_READERS = 256
const LOOK_MS = 1_000
/** A proxy that hears nothing for a minute takes the connection for dead. */
const SIGN_OF_LIFE_MS = 15_000
/** The client comes back with the id of its last event, perhaps at another instance. */
const MAX_STREAM_MS = 3_600_000
/** A client that does not read gets no more to keep for it. */
const MAX_UNREAD_BYTES = 1_000_000

/** What has a place among all that was told. */
export interface PlacedEvent {
  name: string
  place: number
  data: unknown
}

export interface EventSource {
  /** Whose share of readers it takes. */
  caller: string
  newestPlace(): Promise<number>
  /** What came after a place, oldest first, some at a time. */
  read(after: number): Promise<readonly PlacedEvent[]>
}

/**
 * Server-sent events with places as their ids: after a break, `Last-Event-ID` brings what came
 * meanwhile.
 */
export function createEventStreams({ isStopping }: { isStopping(): boolean }) {
  const readers = new Map<string, number>()
  let all = 0

  return async (request: FastifyRequest, reply: FastifyReply, { caller, newestPlace, read }: EventSource) => {
    if (all >= MAX_READERS || (readers.get(caller) ?? 0) >= MAX_READERS_OF_CALLER) {
      throw new ApiError('busy', { headers: { 'retry-after': '60' } })
    }
    let place = readPlace(request.headers['last-event-id']) ?? (await newestPlace())
    readers.set(caller, (readers.get(caller) ?? 0) + 1)
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
      for (const event of await read(place)) {
        place = event.place
        speak(`id: ${place}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`)
      }
      if (performance.now() - spokeAt >= SIGN_OF_LIFE_MS) speak(':\n\n')
    }
    const turn = () => {
      if (!events.writable || isStopping() || performance.now() >= endAt) return void events.end()
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
      const left = (readers.get(caller) ?? 1) - 1
      if (left > 0) readers.set(caller, left)
      else readers.delete(caller)
    })
    speak(':\n\n')
    turn()
    return reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no')
      .send(events)
  }
}

/** A place as it is sent back: in a header, or in a query. */
export function readPlace(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
