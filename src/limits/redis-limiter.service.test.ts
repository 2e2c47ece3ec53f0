import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import { hasRedis, REDIS, REDIS_PORT } from '../../test/redis.js'
import { startSilentProxy } from '../../test/silent-proxy.js'
import { createSystemClock } from '../clock.js'
import { createLimiter } from './create-limiter.js'
import { limiterConformance } from './limiter.conformance.js'
import { LimiterStoreError } from './limiter.js'
import { createRedisLimiter } from './redis-limiter.js'

const admin = new Redis(REDIS, { lazyConnect: true, retryStrategy: () => null })
admin.on('error', () => {})
const isRedisThere = await hasRedis()

describe.skipIf(!isRedisThere)('Redis (skipped where none listens on port 6379)', () => {
  const root = `assay-test:${randomUUID()}`
  afterAll(async () => {
    const keys = await admin.keys(`${root}:*`)
    if (keys.length > 0) await admin.del(...keys)
    admin.disconnect()
  })

  const create = () => {
    const prefix = `${root}:${randomUUID()}`
    return { prefix, limiter: createRedisLimiter({ redis: new Redis(REDIS), prefix }) }
  }

  /** Redis cannot be told the time, so that the test makes the memories older instead. */
  const age = async (prefix: string, ms: number) => {
    for (const key of await admin.keys(`${prefix}:*`)) {
      const members = await admin.zrange(key, '0', '-1')
      for (const member of members) await admin.zincrby(key, String(-ms), member)
    }
  }

  limiterConformance('Redis', async () => {
    const { prefix, limiter } = create()
    return { limiter, passTime: (ms) => age(prefix, ms) }
  })

  const request = { caller: { kind: 'key', id: 'a' }, limitClass: 'analysis', limit: 10 } as const

  test('two processes share one count, and it is exact', async () => {
    const { prefix, limiter } = create()
    const other = createRedisLimiter({ redis: new Redis(REDIS), prefix })
    const decisions = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? limiter : other).take(request)),
    )
    expect(decisions.filter(({ allowed }) => allowed).length).toBe(10)
    await Promise.all([limiter.close(), other.close()])
  })

  test('38: a server whose clock is set back by an hour refuses for a minute, and lets nothing more through', async () => {
    const { prefix, limiter } = create()
    for (let taken = 0; taken < request.limit; taken += 1) await limiter.take(request)
    await age(prefix, -3_600_000)
    const refused = await limiter.take(request)
    expect(refused.allowed).toBe(false)
    expect(refused.resetMs).toBeLessThanOrEqual(60_000)
    await age(prefix, 60_000)
    expect((await limiter.take(request)).allowed).toBe(true)
    await limiter.close()
  })

  test('what it stores goes away by itself', async () => {
    const { prefix, limiter } = create()
    await limiter.take(request)
    const [key = ''] = await admin.keys(`${prefix}:*`)
    expect(await admin.pttl(key)).toBeGreaterThan(55_000)
    expect(await admin.pttl(key)).toBeLessThanOrEqual(60_000)
    await limiter.close()
  })
})

describe.skipIf(!isRedisThere)('the limiter in service', () => {
  test('41: a connection that falls silent is left for a new one, and the limit holds meanwhile', async () => {
    const proxy = await startSilentProxy(REDIS_PORT)
    const news: string[] = []
    const limiter = await createLimiter({
      config: { redisUrl: `redis://127.0.0.1:${proxy.port}` },
      clock: createSystemClock(),
      onOutage: () => news.push('outage'),
      onRecovery: () => news.push('recovery'),
    })
    const take = () => limiter.take({ caller: { kind: 'key', id: randomUUID() }, limitClass: 'analysis', limit: 1 })
    expect((await take()).allowed).toBe(true)
    expect(news).toEqual([])
    proxy.fallSilent()
    expect((await take()).allowed).toBe(true)
    expect(news).toEqual(['outage'])
    await expect.poll(() => take().then(() => news), { timeout: 15_000 }).toEqual(['outage', 'recovery'])
    await limiter.close()
    await proxy.close()
  })
})

test('a server that is not there is an error, not a permission', async () => {
  const redis = new Redis('redis://127.0.0.1:1', { enableOfflineQueue: false, maxRetriesPerRequest: 0 })
  redis.on('error', () => {})
  const limiter = createRedisLimiter({ redis })
  await expect(limiter.take({ caller: { kind: 'key', id: 'a' }, limitClass: 'analysis', limit: 10 })).rejects.toThrow(
    LimiterStoreError,
  )
  await limiter.close()
})
