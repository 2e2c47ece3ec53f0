import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRecord } from '../keys/key-record.js'

/** How a page's browser asks whether it may send a request with a key (fetch.spec.whatwg.org). */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/**
 * Says yes to every page, for routes that keys open: which key it is, the browser does not say yet,
 * and whether its answer is shown is decided then. Cookies are never asked for but in `compat`,
 * where existing clients send what they have.
 */
export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  { methods, compat }: { methods: readonly string[]; compat: boolean },
): FastifyReply {
  const { origin = '' } = request.headers
  return reply
    .code(204)
    .headers(showTo(origin, compat))
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', SENT)
    .header('access-control-max-age', PREFLIGHT_SECONDS)
    .send()
}

/** What pages send with their requests. */
const SENT = 'authorization, content-type, last-event-id, mcp-protocol-version'

/** What pages may read besides the body. */
const READ = 'ratelimit, ratelimit-policy, retry-after, x-request-id'

/** The longest that a browser believes. */
const PREFLIGHT_SECONDS = 7_200

/**
 * Whether the request comes from where the key may be used. A key that names pages is known to all
 * who open them, so that it is good for nothing else.
 */
export const isAtHome = ({ headers }: FastifyRequest, { origins }: KeyRecord): boolean =>
  origins.length === 0 || (headers.origin !== undefined && origins.includes(headers.origin))

/** Lets a page that the key names read the answer. */
export function showToPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { origins, compat }: Pick<KeyRecord, 'origins'> & { compat: boolean },
): void {
  if (headers.origin === undefined || !origins.includes(headers.origin)) return
  reply.headers(showTo(headers.origin, compat)).header('access-control-expose-headers', READ)
}

const showTo = (origin: string, compat: boolean) => ({
  'access-control-allow-origin': origin,
  ...(compat && { 'access-control-allow-credentials': 'true' }),
  vary: 'Origin',
})
