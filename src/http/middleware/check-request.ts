import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../api-error.js'
import type { HttpBounds } from '../bounds.js'
import type { MethodTable } from '../method-table.js'

/** Refuses what is too large or ambiguous to look at any further. */
export function checkHead({ raw }: FastifyRequest, bounds: HttpBounds): void {
  if ((raw.url?.length ?? 0) > bounds.urlBytes) throw new ApiError('url_too_long')
  if (raw.rawHeaders.length / 2 > bounds.headerCount) throw new ApiError('headers_too_large')
  // RFC 9112, section 3.2. Node would answer this itself, without a body.
  if (raw.httpVersion === '1.1' && raw.headers.host === undefined) throw new ApiError('invalid_request')
}

/** Without its query. */
export const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? ''

/** Answers 404 where there is no such path, and 405 where there is one with other methods. */
export function checkRoute(request: FastifyRequest, methods: MethodTable): void {
  if (!request.is404) return
  const allowed = methods.methodsOf(pathOf(request))
  if (allowed.length === 0) throw new ApiError('not_found')
  throw new ApiError('method_not_allowed', { headers: { allow: allowed.join(', ') } })
}

/** Refuses a body by what its headers say of it, before any of it is read. */
export function checkBody({ raw: { headers }, routeOptions }: FastifyRequest, { bodyBytes }: HttpBounds): void {
  const length = Number(headers['content-length'] ?? 0)
  if (length > (routeOptions.bodyLimit ?? bodyBytes)) throw new ApiError('body_too_large')
  const hasBody = length > 0 || headers['transfer-encoding'] !== undefined
  if (!hasBody || routeOptions.config.ignoresBody) return
  if (!isJsonType(headers['content-type'] ?? '')) throw new ApiError('unsupported_content_type')
  if (!isPlain(headers['content-encoding'] ?? '')) throw new ApiError('unsupported_content_encoding')
}

/**
 * JSON is UTF-8 (RFC 8259), so that naming that charset is harmless and naming another one is an
 * error.
 */
function isJsonType(text: string): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(text)
}

/** Compressed bodies are refused rather than inflated: a hundred bytes need no compression. */
function isPlain(text: string): boolean {
  return text === '' || text.toLowerCase() === 'identity'
}
