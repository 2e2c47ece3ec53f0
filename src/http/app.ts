import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { ApiError } from '../api-error.js'
import { HTTP_BOUNDS, type HttpBounds } from './bounds.js'
import { answerPreflight, isPreflight } from './cross-origin.js'
import { createMethodTable, type MethodTable } from './method-table.js'
import { admit } from './middleware/admit.js'
import { checkBody, checkHead, checkRoute, pathOf } from './middleware/check-request.js'
import { logRequests } from './middleware/log-requests.js'
import { serveOpenApi } from './openapi.js'
import { createJsonReader } from './read-json.js'
import { isForKeys } from './route-config.js'
import { analysisRoutes } from './routes/analyses/route.js'
import { analysisStreamRoute } from './routes/analysis-stream/route.js'
import { authRoutes } from './routes/auth/route.js'
import { batchRoutes } from './routes/batch/route.js'
import { chainsRoute } from './routes/chains/route.js'
import { contactPages } from './routes/contacts/contact-pages.js'
import { contactRoutes } from './routes/contacts/route.js'
import { falseResultRoute } from './routes/false-results/route.js'
import { feedRoutes } from './routes/feed/route.js'
import { healthRoutes } from './routes/health/route.js'
import { keyRoutes } from './routes/keys/route.js'
import { lookupRoute } from './routes/lookup/route.js'
import { mcpRoute } from './routes/mcp/route.js'
import { servePortal } from './routes/portal/serve-portal.js'
import { sharedReportPages } from './routes/saved-reports/pages.js'
import { savedReportRoutes } from './routes/saved-reports/route.js'
import { signingKeyRoute } from './routes/signing-key/route.js'
import { statsRoute } from './routes/stats/route.js'
import { usageRoute } from './routes/usage/route.js'
import { watchRoutes } from './routes/watches/route.js'
import { SECURITY_HEADERS, sendFailure, toApiError } from './send-failure.js'
import { hardenServer, serverOptions } from './server-options.js'
import type { Services } from './services.js'
import { shareConnections } from './share-connections.js'

/**
 * The service as an HTTP application. Opens no socket; `app.inject(…)` or `listen(…)` does the
 * rest.
 */
export function createApp(services: Services, bounds: HttpBounds = HTTP_BOUNDS): FastifyInstance {
  const { trustProxy } = services.config
  const app = fastify({
    ...serverOptions(bounds),
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => {
      sendFailure(request, reply.header('x-request-id', request.id), toApiError(error, 'server_error'))
    },
  })
  const methods = createMethodTable()
  const opened = createMethodTable()
  app.addHook('onRoute', ({ url, method, config }) => {
    methods.add(url, method)
    if (isForKeys(config)) opened.add(url, method)
  })
  hardenServer(app.server, bounds)
  shareConnections(app.server, { connections: bounds.connections, trustProxy })
  const isStopping = watchStop(app)
  logRequests(app, services)
  checkRequests(app, services, { methods, opened, bounds, isStopping })
  readBodies(app)
  answerFailures(app, services, { methods, isStopping })
  app.register(async (documented) => {
    const { engineVersion, publicOrigins } = services.config
    await serveOpenApi(documented, { version: engineVersion, origins: publicOrigins })
    for (const route of routes(services, { bounds, isStopping })) documented.route(route)
  })
  app.register((portal) => servePortal(portal))
  return app
}

function routes(services: Services, { bounds, isStopping }: { bounds: HttpBounds; isStopping(): boolean }) {
  return [
    ...healthRoutes(services),
    signingKeyRoute(services),
    chainsRoute(services),
    lookupRoute(services),
    ...analysisRoutes(services, bounds),
    analysisStreamRoute(services, { bounds, isStopping }),
    ...batchRoutes(services, bounds),
    ...watchRoutes(services, { isStopping }),
    ...feedRoutes(services, { isStopping }),
    ...contactRoutes(services),
    ...contactPages(services),
    ...savedReportRoutes(services, bounds),
    falseResultRoute(services, bounds),
    statsRoute(services),
    ...sharedReportPages(services),
    mcpRoute(services),
    ...authRoutes(services),
    ...keyRoutes(services),
    usageRoute(services),
  ]
}

/** The order of these lines is the order of the checks (docs/decisions/requests.md). */
function checkRequests(
  app: FastifyInstance,
  services: Pick<Services, 'config' | 'keys' | 'limiter' | 'signIn'>,
  {
    methods,
    opened,
    bounds,
    isStopping,
  }: { methods: MethodTable; opened: MethodTable; bounds: HttpBounds; isStopping(): boolean },
): void {
  app.decorateRequest('apiKey', undefined)
  app.decorateRequest('wallet', undefined)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    if (isStopping()) throw stopped()
    checkHead(request, bounds)
    const asked = isPreflight(request) ? opened.methodsOf(pathOf(request)) : []
    if (asked.length > 0) return answerPreflight(request, reply, { methods: asked, compat: services.config.compat })
    checkRoute(request, methods)
    await admit(services, request, reply)
    checkBody(request, bounds)
    // Only now may a client that asked first send its body.
    if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
  })
}

/** Tells whether the application is closing, and ends each connection with its last answer then. */
function watchStop(app: FastifyInstance): () => boolean {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('connection', 'close')
    done()
  })
  return () => isStopping
}

function readBodies(app: FastifyInstance): void {
  const readJson = createJsonReader()
  app.removeAllContentTypeParsers()
  // `checkBody` has seen to the type; the usual one is named so that it is found at once. What the
  // parser throws is the answer.
  app.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (request, bytes: Buffer, done) =>
    done(null, request.routeOptions.config.ignoresBody ? undefined : readJson(bytes)),
  )
  // Texts and their order are part of the interface, so that a parse function checks each body; the
  // schemas document.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
}

/** Another instance, or this one after its restart, can do what was asked. */
const stopped = (cause?: unknown) =>
  new ApiError('busy', { cause, headers: { connection: 'close', 'retry-after': '1' } })

function answerFailures(
  app: FastifyInstance,
  { log }: Pick<Services, 'log'>,
  { methods, isStopping }: { methods: MethodTable; isStopping(): boolean },
): void {
  app.setNotFoundHandler((request) => checkRoute(request, methods))
  app.setErrorHandler((error, request, reply) => {
    const failure = toApiError(error, request.routeOptions.config.failure ?? 'server_error')
    // After the client left, failing is what the work is meant to do.
    if (failure.status === 500 && !reply.raw.destroyed) {
      log.error({ requestId: request.id, error }, failure.shortMessage)
    }
    // There is no time left to try once more, and elsewhere it may well succeed.
    return sendFailure(request, reply, failure.status === 500 && isStopping() ? stopped(error) : failure)
  })
}
