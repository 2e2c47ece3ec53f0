import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../api-error.js'
import type { KeyRecord } from '../../keys/key-record.js'
import type { Services } from '../services.js'
import { countAddress } from './rate-limit.js'

/**
 * Finds out whose request it is. A caller without a valid key is counted by address, so that
 * guessing is slow; a valid key works from any address, whatever its neighbours do.
 */
export async function authorize(
  { keys, limiter }: Pick<Services, 'keys' | 'limiter'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KeyRecord> {
  const credentials = readKey(request.raw.rawHeaders)
  const record = credentials instanceof ApiError ? undefined : await keys.verify(credentials)
  if (record !== undefined) return record
  await countAddress(limiter, request, reply)
  throw credentials instanceof ApiError ? credentials : new ApiError('invalid_key')
}

/** A key of ours has 55 characters. */
const MAX_KEY_LENGTH = 256

/**
 * The bearer token (RFC 6750), or why there is none. Looks at the raw headers: Node keeps only the
 * first of two Authorization headers, and which of two keys counts must not depend on that.
 */
function readKey(rawHeaders: readonly string[]): string | ApiError {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'authorization')
  const [value = ''] = values
  if (values.length > 1) return invalidFormat()
  if (value.trim() === '') return new ApiError('authorization_required', { headers: CHALLENGE })
  const key = /^bearer +([^\s]+)$/i.exec(value.trim())?.[1]
  if (key === undefined) return invalidFormat()
  return key.length > MAX_KEY_LENGTH ? new ApiError('invalid_key') : key
}

/** RFC 9110, section 11.6.1: a 401 says how to authenticate. */
const CHALLENGE = { 'www-authenticate': 'Bearer' }

const invalidFormat = () => new ApiError('invalid_authorization', { headers: CHALLENGE })
