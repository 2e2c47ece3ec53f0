import type { FastifyReply } from 'fastify'
import { type Limiter, type LimitRequest, WINDOW_MS } from '../../limits/limiter.js'
import { ApiError } from '../api-error.js'

/** Counts a request and says so in its headers (draft-ietf-httpapi-ratelimit-headers); refuses it when it is one too many. */
export async function countRequest(limiter: Limiter, request: LimitRequest, reply: FastifyReply): Promise<void> {
  const { limitClass, limit } = request
  const { allowed, remaining, resetMs } = await limiter.take(request)
  const resetSeconds = Math.ceil(resetMs / 1_000)
  reply.header('ratelimit-policy', `"${limitClass}";q=${limit};w=${WINDOW_MS / 1_000}`)
  reply.header('ratelimit', `"${limitClass}";r=${remaining};t=${resetSeconds}`)
  if (allowed) return
  throw new ApiError(limitClass === 'analysis' ? 'analysis_limit' : 'general_limit', {
    headers: { 'retry-after': String(resetSeconds) },
  })
}
