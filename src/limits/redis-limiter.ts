import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { type Limiter, LimiterStoreError, WINDOW_MS } from './limiter.js'

/**
 * A limiter that all processes share. One script does each decision, so that no two processes can take the same last place.
 * Time is the Redis server's: the clocks of the machines need not agree. Rejects with `LimiterStoreError` when Redis does not answer.
 */
export function createRedisLimiter({ redis, prefix = 'assay:limit' }: { redis: Redis; prefix?: string }): Limiter {
  return {
    async take({ caller, limitClass, limit }) {
      const key = `${prefix}:${limitClass}:${caller.kind}:${caller.id}`
      try {
        const reply = await redis.eval(TAKE, 1, key, limit, WINDOW_MS, randomUUID())
        const [allowed, remaining, resetMs] = parseReply(reply)
        return { allowed: allowed === 1, remaining, resetMs: Math.max(1, resetMs) }
      } catch (error) {
        throw new LimiterStoreError(error)
      }
    },
    async close() {
      redis.disconnect()
    },
  }
}

/**
 * A sorted set per caller, one member per counted request, scored with its time in milliseconds with fractions.
 * What lies in the future was counted before the server's clock was set back; it stays counted until the key itself expires.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
local allowed = count < limit
if allowed then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window)
  count = count + 1
end
local at = allowed and 0 or count - limit
local leaving = redis.call('ZRANGE', KEYS[1], at, at, 'WITHSCORES')[2]
return { allowed and 1 or 0, allowed and limit - count or 0, math.ceil(leaving + window - now) }
`

function parseReply(reply: unknown): [number, number, number] {
  if (!Array.isArray(reply) || reply.length !== 3 || !reply.every(Number.isInteger)) {
    throw new TypeError('unexpected reply of the limiter script')
  }
  return [reply[0], reply[1], reply[2]]
}
