import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, type ApiErrorCode, apiErrors, toFailure } from '../api-error.js'
import * as reports from '../reports/to-api-error.js'
import { lingerOnClose } from './linger.js'

/** Headers of every answer: nothing here is to be cached, framed, sniffed or run. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/**
 * Answers a request with an error. A body that was not read and is not small ends the connection.
 */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  if (hasUnreadBody(request)) {
    reply.header('connection', 'close')
    lingerOnClose(request.raw.socket)
  }
  return reply.headers(SECURITY_HEADERS).headers(error.headers).code(error.status).send(toFailure(error.code))
}

/**
 * Answers on a connection that never became a request (broken syntax, slow headers), and ends it.
 */
export function sendRawFailure(socket: Socket, code: ApiErrorCode): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const [status] = apiErrors[code]
  const body = JSON.stringify(toFailure(code))
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  lingerOnClose(socket)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

/** What the parser may skip so that the connection can be used again. */
const SKIPPABLE_BYTES = 8 * 1024

function hasUnreadBody({ raw }: FastifyRequest): boolean {
  if (raw.complete) return false
  return raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > SKIPPABLE_BYTES
}

/** What an unexpected error becomes for the client, those of the server included. */
export function toApiError(error: unknown, failure: ApiErrorCode): ApiError {
  return reports.toApiError(error, FASTIFY_ERRORS.get((error as { code?: unknown } | null)?.code) ?? failure)
}

const FASTIFY_ERRORS: ReadonlyMap<unknown, ApiErrorCode> = new Map<unknown, ApiErrorCode>([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'body_too_large'],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_content_type'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'invalid_request'],
  ['FST_ERR_BAD_URL', 'not_found'],
  ['FST_ERR_MAX_PARAM_LENGTH', 'not_found'],
  // The client went away in the middle of its body.
  ['ECONNRESET', 'invalid_request'],
])
