import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../api-error.js'
import { FREE_LIMITS } from '../../keys/key-record.js'
import { addressShares, guestOf } from '../../limits/caller-address.js'
import { type Limiter, type LimitRequest, WINDOWS_MS } from '../../limits/limiter.js'

/**
 * Counts a request and says so in its headers (draft-ietf-httpapi-ratelimit-headers); refuses it
 * when it is one too many.
 */
export async function countRequest(limiter: Limiter, request: LimitRequest, reply: FastifyReply): Promise<void> {
  const { limitClass, limit } = request
  const { allowed, remaining, resetMs } = await limiter.take(request)
  const resetSeconds = Math.ceil(resetMs / 1_000)
  reply.header('ratelimit-policy', `"${limitClass}";q=${limit};w=${WINDOWS_MS[limitClass] / 1_000}`)
  reply.header('ratelimit', `"${limitClass}";r=${remaining};t=${resetSeconds}`)
  if (allowed) return
  throw new ApiError(REFUSALS[limitClass], { headers: { 'retry-after': String(resetSeconds) } })
}

const REFUSALS = { analysis: 'analysis_limit', general: 'general_limit', guest: 'guest_limit' } as const

/** Counts a request of a caller without a name, by its address and the network around it. */
export async function countAddress(limiter: Limiter, { ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [own, ...within] = addressShares(ip, FREE_LIMITS.general)
  await countRequest(limiter, { ...own, limitClass: 'general', within }, reply)
}

/**
 * Counts one who reads what is shown to everyone: ten times as often as other callers without a
 * name, and apart from them, since a page shows several at once.
 */
export async function countReader(limiter: Limiter, { ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [own, ...within] = addressShares(ip, FREE_LIMITS.general * READS_PER_REQUEST, 'readers')
  await countRequest(limiter, { ...own, limitClass: 'general', within }, reply)
}

const READS_PER_REQUEST = 10

/** Counts an analysis of one who has neither key nor session: by the hour. */
export async function countGuest(
  limiter: Limiter,
  { ip }: FastifyRequest,
  { limit, reply }: { limit: number; reply: FastifyReply },
): Promise<void> {
  const caller = { kind: 'guest', id: guestOf(ip) } as const
  await countRequest(limiter, { caller, limitClass: 'guest', limit }, reply)
}
