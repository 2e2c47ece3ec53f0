import { Redis, type RedisOptions } from 'ioredis'

export interface ConnectRedisOptions {
  /** Milliseconds until a command that has no answer fails; without it, none does. */
  commandTimeout?: number
  /** Milliseconds until an attempt to connect fails. */
  connectTimeout?: number
  /**
   * Milliseconds that a command may stay unanswered before the connection is given up and made
   * anew, at least as long as the longest that a command may wait at the server. Without it a
   * connection that a firewall has forgotten, or whose server has moved, is believed in for a
   * quarter of an hour.
   */
  silenceMs: number
}

/**
 * A connection for callers that would rather hear at once that there is none: nothing is queued for
 * it, and nothing is asked twice.
 */
export function connectRedis(url: string, options: ConnectRedisOptions): Redis {
  return connect(url, { ...toRedisOptions(options), enableOfflineQueue: false, maxRetriesPerRequest: 0 })
}

/** A connection for a worker, who has nothing else to do than to wait for it. */
export function connectPatientRedis(url: string, options: ConnectRedisOptions): Redis {
  return connect(url, { ...toRedisOptions(options), maxRetriesPerRequest: null })
}

const toRedisOptions = ({ silenceMs, ...timeouts }: ConnectRedisOptions): RedisOptions => ({
  ...timeouts,
  socketTimeout: silenceMs,
  retryStrategy: (attempt) => Math.min(attempt * FIRST_RECONNECT_MS, MAX_RECONNECT_MS),
})

function connect(url: string, options: Omit<RedisOptions, 'replyMapping'>): Redis {
  const redis = new Redis(url, options)
  // The caller that waits for an answer learns of the loss by it; without a listener it would be
  // printed.
  redis.on('error', () => {})
  return redis
}

const FIRST_RECONNECT_MS = 100
const MAX_RECONNECT_MS = 2_000
