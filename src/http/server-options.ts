import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyHttpOptions } from 'fastify'
import type { ApiErrorCode } from '../api-error.js'
import { boundConnections } from '../connections/bound-connections.js'
import type { HttpBounds } from './bounds.js'
import { sendRawFailure } from './send-failure.js'

/**
 * How often Node looks for connections that take too long. Its default of 30 s would make every
 * limit below that pointless.
 */
const CHECK_MS = 1_000

/** How Node and Fastify are told of our bounds. */
export function serverOptions(bounds: HttpBounds) {
  return {
    bodyLimit: bounds.bodyBytes,
    requestTimeout: bounds.requestMs,
    keepAliveTimeout: bounds.keepAliveMs,
    http: {
      maxHeaderSize: bounds.headerBytes,
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      connectionsCheckingInterval: Math.min(CHECK_MS, bounds.headersMs),
      // Node's own answer to a missing Host has no body; ours has.
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    // Its own text would not be in our envelope; `app.ts` answers instead.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, bounds),
    // A longer URL is refused anyway; a shorter bound would answer for the route what the route
    // does not say.
    routerOptions: { maxParamLength: bounds.urlBytes },
  } satisfies FastifyHttpOptions<Server>
}

/** Takes over what Node would answer by itself, without a body or by hanging up. */
export function hardenServer(server: Server, bounds: HttpBounds): void {
  server.maxConnections = bounds.connections
  boundConnections(server, bounds)
  // Without a listener Node invites the body before the headers were looked at.
  const handle = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response)
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('connect', (_request: IncomingMessage, socket: Socket) => sendRawFailure(socket, 'not_found'))
}

function answerClientError(error: ConnectionError, socket: Socket, bounds: HttpBounds): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  sendRawFailure(socket, codeOf(error, bounds))
}

function codeOf({ code, rawPacket }: { code: string; rawPacket?: unknown }, { urlBytes }: HttpBounds): ApiErrorCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  if (code !== 'HPE_HEADER_OVERFLOW') return 'invalid_request'
  return Buffer.isBuffer(rawPacket) && isLongRequestLine(rawPacket, urlBytes) ? 'url_too_long' : 'headers_too_large'
}

/** Whether the packet that was too much begins a request, and its URL alone was too long. */
function isLongRequestLine(packet: Buffer, urlBytes: number): boolean {
  return /^[A-Z]+ [^\s]*$/.test(packet.toString('latin1', 0, urlBytes))
}
