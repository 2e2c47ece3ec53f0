import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { type LimitDecision, type Limiter, LimiterStoreError, sharesOf, strictest, WINDOWS_MS } from './limiter.js'

/**
 * A limiter that all processes share. One script does each decision, so that no two processes can
 * take the same last place. Time is the Redis server's: the clocks of the machines need not agree.
 * Rejects with `LimiterStoreError` when Redis does not answer.
 */
export function createRedisLimiter({ redis, prefix = 'assay:limit' }: { redis: Redis; prefix?: string }): Limiter {
  return {
    async take(request) {
      const shares = sharesOf(request)
      const keys = shares.map(({ caller }) => `${prefix}:${request.limitClass}:${caller.kind}:${caller.id}`)
      const limits = shares.map(({ limit }) => limit)
      try {
        const reply = await redis.eval(
          TAKE,
          keys.length,
          ...keys,
          WINDOWS_MS[request.limitClass],
          randomUUID(),
          ...limits,
        )
        return strictest(parseReplies(reply, keys.length))
      } catch (error) {
        throw new LimiterStoreError(error)
      }
    },
    async close() {
      redis.disconnect()
    },
  }
}

/** What is only a moment ahead leaves the window in time by itself. */
const STEP_MS = 1_000

/**
 * A sorted set per caller, one member per counted request, scored with its time in milliseconds
 * with fractions. What lies in the future was counted before the server's clock was set back: it
 * counts as of now, for no longer than anything else. A request counts in all of its shares or in
 * none.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local window, member = tonumber(ARGV[1]), ARGV[2]
local counts, allowed = {}, true
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  for _, early in ipairs(redis.call('ZRANGEBYSCORE', key, now + ${STEP_MS}, '+inf')) do
    redis.call('ZADD', key, now, early)
    redis.call('PEXPIRE', key, window)
  end
  counts[i] = redis.call('ZCARD', key)
  allowed = allowed and counts[i] < tonumber(ARGV[i + 2])
end
local replies = {}
for i, key in ipairs(KEYS) do
  local count, limit = counts[i], tonumber(ARGV[i + 2])
  local hasRoom = count < limit
  if allowed then
    redis.call('ZADD', key, now, member)
    redis.call('PEXPIRE', key, window)
    count = count + 1
  end
  local at = hasRoom and 0 or count - limit
  local leaving = redis.call('ZRANGE', key, at, at, 'WITHSCORES')[2] or now
  replies[i] = { hasRoom and 1 or 0, hasRoom and limit - count or 0, math.ceil(leaving + window - now) }
end
return replies
`

function parseReplies(replies: unknown, count: number): LimitDecision[] {
  if (!Array.isArray(replies) || replies.length !== count) throw new TypeError('unexpected reply of the limiter script')
  return replies.map((reply: unknown) => {
    if (!Array.isArray(reply) || reply.length !== 3 || !reply.every(Number.isInteger))
      throw new TypeError('unexpected reply of the limiter script')
    const [allowed, remaining, resetMs] = reply
    return { allowed: allowed === 1, remaining, resetMs: Math.max(1, resetMs) }
  })
}
