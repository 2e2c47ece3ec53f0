import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../services.js'

/**
 * One line per request: what was asked by its route's name, never by its URL, and who asked by the
 * key's id.
 */
export function logRequests(app: FastifyInstance, { log }: Pick<Services, 'log'>): void {
  // Its members are listed here and hold nothing of the caller's; looking for secrets in them would
  // cost as much as the line.
  const requests = log.child({}, { redact: [] })
  // Of one shape: an object made from another one's members costs as much as writing it.
  const describe = (request: FastifyRequest, reply: FastifyReply, status?: number) => ({
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url,
    keyId: request.apiKey?.id,
    durationMs: Math.round(reply.elapsedTime),
    status,
  })
  // Hooks with a callback: a promise for each costs every request more than what it waits for.
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableEnded) requests.info(describe(request, reply), 'client left')
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    requests.info(describe(request, reply, reply.statusCode), 'answered')
    done()
  })
}
