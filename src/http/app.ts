import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { ApiError } from './api-error.js'
import { HTTP_BOUNDS, type HttpBounds } from './bounds.js'
import { createMethodTable } from './method-table.js'
import { authorize } from './middleware/authorize.js'
import { checkBody, checkHead, checkRoute } from './middleware/check-request.js'
import { logRequests } from './middleware/log-requests.js'
import { countRequest } from './middleware/rate-limit.js'
import { serveOpenApi } from './openapi.js'
import { readJson } from './read-json.js'
import './route-config.js'
import { executeSimulationRoute } from './routes/execute-simulation/route.js'
import { healthRoutes } from './routes/health/route.js'
import { honeypotChecksRoute } from './routes/honeypot-checks/route.js'
import { SECURITY_HEADERS, sendFailure, toApiError } from './send-failure.js'
import { hardenServer, serverOptions } from './server-options.js'
import type { Services } from './services.js'

/** The service as an HTTP application. Opens no socket; `app.inject(…)` or `app.listen(…)` does the rest. */
export function createApp(services: Services, bounds: HttpBounds = HTTP_BOUNDS): FastifyInstance {
  const app = fastify({
    ...serverOptions(bounds),
    trustProxy: services.config.trustProxy.length > 0 && [...services.config.trustProxy],
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => {
      sendFailure(request, reply.header('x-request-id', request.id), toApiError(error, 'server_error'))
    },
  })
  hardenServer(app.server, bounds.connections)

  const methods = createMethodTable()
  app.addHook('onRoute', ({ url, method }) => methods.add(url, method))

  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })

  app.decorateRequest('apiKey', undefined)
  logRequests(app, services)
  // The order of these lines is the order of the checks (docs/decisions/0002-order-of-checks.md).
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    if (isStopping) throw new ApiError('busy', { headers: { connection: 'close', 'retry-after': '1' } })
    checkHead(request, bounds)
    checkRoute(request, methods)
    const { access, limitClass = 'general' } = request.routeOptions.config
    if (access !== 'open') {
      request.apiKey = await authorize(services, request, reply)
      const { id, limits } = request.apiKey
      await countRequest(
        services.limiter,
        { caller: { kind: 'key', id }, limitClass, limit: limits[limitClass] },
        reply,
      )
    }
    checkBody(request, bounds)
    // Only now may a client that asked first send its body.
    if (request.headers.expect !== undefined) reply.raw.writeContinue()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })

  app.removeAllContentTypeParsers()
  // `checkBody` has seen to the type.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => readJson(bytes))
  // Bodies are checked by the parse function of each route, because texts and their order are part of the interface; schemas document them.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))

  app.setNotFoundHandler((request) => checkRoute(request, methods))
  app.setErrorHandler((error, request, reply) => {
    const failure = toApiError(error, request.routeOptions.config.failure ?? 'server_error')
    // After the client left, failing is what the work is meant to do.
    if (failure.status === 500 && !reply.raw.destroyed) {
      services.log.error({ requestId: request.id, error }, failure.shortMessage)
    }
    return sendFailure(request, reply, failure)
  })

  app.register(async (documented) => {
    await serveOpenApi(documented, { version: services.config.engineVersion })
    const routes = [
      ...healthRoutes(services),
      executeSimulationRoute(services, bounds),
      honeypotChecksRoute(services, bounds),
    ]
    for (const route of routes) documented.route(route)
  })
  return app
}
