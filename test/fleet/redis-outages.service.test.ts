import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.js'
import { createSystemClock } from '../../src/clock.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { createKeyStore } from '../../src/keys/create-key-store.js'
import { issueKey } from '../../src/keys/issue.js'
import { createTestSchemas, hasPostgres } from '../postgres.js'
import { createOwnRedis, hasRedisServer, type OwnRedis } from './own-redis.js'
import { type ServiceProcess, startProcess } from './process.js'

const LONG = 240_000
const OUTAGES = 2
const TARGETS = 6
/** Of a free key, requests that are no analyses. */
const LIMIT = 30

const isPossible = (await hasPostgres()) && hasRedisServer()
describe.skipIf(!isPossible)('two processes while their Redis comes and goes (skipped without one)', () => {
  const schemas = createTestSchemas('assay_outages')
  let devnet: Devnet
  let redis: OwnRedis
  let databaseUrl: string
  let services: ServiceProcess[] = []
  beforeAll(async () => {
    redis = await createOwnRedis()
    const [node, url] = await Promise.all([
      startDevnet({ chainId: 1, examples: ['clean'] }),
      schemas.newUrl(),
      redis.start(),
    ])
    devnet = node
    databaseUrl = url
    const env = { ASSAY_RPC_1: devnet.url, ASSAY_MAX_HEAD_AGE: '0', DATABASE_URL: url, REDIS_URL: redis.url }
    services = await Promise.all([startProcess(env), startProcess(env)])
  }, LONG)
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()))
    await redis?.kill()
    await devnet?.stop()
    await schemas.drop()
  })

  async function newKey(tier: 'free' | 'partner' = 'free'): Promise<string> {
    const store = await createKeyStore({ dataDir: '', databaseUrl })
    const { key } = await issueKey({ store, clock: createSystemClock() }, { label: 'outages', tier })
    await store.close()
    return key
  }

  /** Asks both in turn, and counts the answers by status. */
  async function askBoth(key: string, times: number): Promise<Record<number, number>> {
    const counts: Record<number, number> = {}
    const asked = Array.from({ length: times }, async (_, i) => {
      const headers = { authorization: `Bearer ${key}` }
      const { status } = await fetch(`${services[i % 2]?.url}/api/batch/unknown`, { headers })
      counts[status] = (counts[status] ?? 0) + 1
    })
    await Promise.all(asked)
    return counts
  }

  test(
    'each keeps the limit by itself meanwhile, both together afterwards, and no request fails',
    async () => {
      expect(await askBoth(await newKey(), 4 * LIMIT)).toEqual({ 404: LIMIT, 429: 3 * LIMIT })
      for (let outage = 0; outage < OUTAGES; outage += 1) {
        const key = await newKey()
        const before = askBoth(key, 4 * LIMIT)
        await redis.kill()
        const during = await before
        const more = await askBoth(key, 4 * LIMIT)
        expect(
          [...Object.keys(during), ...Object.keys(more)].filter((status) => status !== '404' && status !== '429'),
        ).toEqual([])
        expect((during[404] ?? 0) + (more[404] ?? 0)).toBeLessThanOrEqual(2 * LIMIT)
        expect(await askBoth(await newKey(), 4 * LIMIT)).toEqual({ 404: 2 * LIMIT, 429: 2 * LIMIT })
        await redis.start()
        await expect
          .poll(async () => askBoth(await newKey(), 4 * LIMIT), { timeout: 30_000, interval: 500 })
          .toEqual({ 404: LIMIT, 429: 3 * LIMIT })
      }
    },
    LONG,
  )

  test(
    'a batch that is ordered without a Redis is done when there is one again, and so is one that Redis forgot',
    async () => {
      const client = createClient({ baseUrl: services[0]?.url ?? '', apiKey: await newKey('partner') })
      const targetContractAddress = devnet.examples[0]?.targetContractAddress ?? ''
      const targets = Array.from({ length: TARGETS }, () => ({
        targetContractAddress,
        chainId: 1,
        check: 'all' as const,
      }))
      const forgotten = await client.createBatch({ targets })
      await redis.kill()
      const unheard = await client.createBatch({ targets })
      await redis.start()
      for (const { id } of [forgotten, unheard]) {
        let batch = await client.readBatch({ id })
        for (; batch.status === 'waiting'; batch = await client.readBatch({ id })) await sleep(250)
        expect([batch.done, batch.failed, batch.waiting]).toEqual([TARGETS, 0, 0])
      }
    },
    LONG,
  )
})
