import { Redis } from 'ioredis'

export const REDIS_PORT = 6379
export const REDIS = `redis://127.0.0.1:${REDIS_PORT}`

/** Whether tests against Redis can run here. Throws where they must. */
export async function hasRedis(): Promise<boolean> {
  const redis = new Redis(REDIS, { lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => {})
  const isThere = await redis.connect().then(
    () => true,
    () => false,
  )
  redis.disconnect()
  if (!isThere && process.env.CI === 'true') throw new Error(`no Redis at ${REDIS}`)
  return isThere
}
