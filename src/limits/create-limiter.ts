import { once } from 'node:events'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import { createGuardedLimiter, type GuardedLimiterOptions } from './guarded-limiter.js'
import type { Limiter } from './limiter.js'
import { createMemoryLimiter } from './memory-limiter.js'

export interface LimiterOptions extends Pick<GuardedLimiterOptions, 'onOutage' | 'onRecovery'> {
  config: Pick<Config, 'redisUrl'>
  clock: Clock
}

/**
 * The limiter that the operator configured: shared through Redis with a URL, otherwise this
 * process's own. Waits a moment for Redis, so that a process that has just started does not count
 * alone.
 */
export async function createLimiter({ config, clock, ...listeners }: LimiterOptions): Promise<Limiter> {
  const local = createMemoryLimiter({ clock })
  if (config.redisUrl === undefined) return local
  const [{ connectRedis }, { createRedisLimiter }] = await Promise.all([
    import('../stores/connect-redis.js'),
    import('./redis-limiter.js'),
  ])
  // A request must not wait for a connection: the guard has an answer at once.
  const redis = connectRedis(config.redisUrl, {
    commandTimeout: REDIS_TIMEOUT_MS,
    connectTimeout: REDIS_TIMEOUT_MS,
    silenceMs: REDIS_SILENCE_MS,
  })
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), REDIS_TIMEOUT_MS)
  await once(redis, 'ready', { signal: late.signal }).catch(() => {})
  clearTimeout(timer)
  return createGuardedLimiter({ shared: createRedisLimiter({ redis }), local, clock, ...listeners })
}

/**
 * A healthy Redis answers in a millisecond, and a busy process reads the answer late. An ill one
 * delays one request a second by this.
 */
const REDIS_TIMEOUT_MS = 1_000
/** Longer than a command waits: one late answer is no reason to begin anew. */
const REDIS_SILENCE_MS = 2_000
