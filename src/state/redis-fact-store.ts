import type { Clock } from '../clock.js'
import { createCircuitBreaker } from '../rpc/circuit-breaker.js'
import { connectRedis } from '../stores/connect-redis.js'
import type { FactStore } from './fact-store.js'

export interface RedisFactStoreOptions {
  url: string
  clock: Clock
  /** Told once per outage. */
  onOutage?: (error: unknown) => void
  prefix?: string
}

/**
 * Facts that a fleet learns once. Redis itself evicts them (`maxmemory-policy allkeys-lru`), and
 * each expires when it was not learned again for a month. A Redis that is down or slow costs {@link
 * TIMEOUT_MS} now and then, and answers nothing.
 */
export function createRedisFactStore({
  url,
  clock,
  onOutage,
  prefix = 'assay:facts:',
}: RedisFactStoreOptions): FactStore & { close(): Promise<void> } {
  const breaker = createCircuitBreaker(clock)
  const redis = connectRedis(url, {
    commandTimeout: TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    silenceMs: SILENCE_MS,
  })
  let isReported = false
  const report = (error: unknown) => {
    if (!isReported) onOutage?.(error)
    isReported = true
  }
  redis.on('error', report)
  redis.on('ready', () => {
    isReported = false
  })

  /** Does not wait for a connection, nor for a Redis that lately did not answer. */
  async function attempt<T>(work: () => Promise<T>, fallback: T): Promise<T> {
    if (redis.status !== 'ready' || breaker.waitMs() > 0) return fallback
    breaker.enter()
    try {
      const value = await work()
      breaker.succeed()
      return value
    } catch (error) {
      breaker.fail()
      report(error)
      return fallback
    }
  }

  return {
    get: (keys) =>
      attempt(
        async () => {
          const found = await redis.mgetBuffer(keys.map((key) => prefix + key))
          return found.map((value) => value ?? undefined)
        },
        keys.map(() => undefined),
      ),
    async set(key, value) {
      if (value.length > MAX_VALUE_BYTES) return
      await attempt(() => redis.set(prefix + key, Buffer.from(value), 'EX', LIFE_SECONDS), 'OK')
    },
    async close() {
      redis.disconnect()
    },
  }
}

/** A healthy Redis answers in a millisecond; asking the chain instead takes 50. */
const TIMEOUT_MS = 50
const CONNECT_TIMEOUT_MS = 1_000
const SILENCE_MS = 1_000
const LIFE_SECONDS = 30 * 24 * 3_600
/** The longest code that is believed is half as long. */
const MAX_VALUE_BYTES = 262_144
