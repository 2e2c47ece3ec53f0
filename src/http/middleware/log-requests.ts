import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../services.js'

/** One line per request: what was asked by its route's name, never by its URL, and who asked by the key's id. */
export function logRequests(app: FastifyInstance, { log }: Pick<Services, 'log'>): void {
  const describe = (request: FastifyRequest, reply: FastifyReply) => ({
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url,
    keyId: request.apiKey?.id,
    durationMs: Math.round(reply.elapsedTime),
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableEnded) log.info(describe(request, reply), 'client left')
    })
  })
  app.addHook('onResponse', async (request, reply) => {
    log.info({ ...describe(request, reply), status: reply.statusCode }, 'answered')
  })
}
