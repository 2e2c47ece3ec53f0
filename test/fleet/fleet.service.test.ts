import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.js'
import { createSystemClock } from '../../src/clock.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { createKeyStore } from '../../src/keys/create-key-store.js'
import { issueKey } from '../../src/keys/issue.js'
import type { Tier } from '../../src/keys/key-record.js'
import { revokeKey } from '../../src/keys/revoke.js'
import { createTestSchemas, hasPostgres } from '../postgres.js'
import { hasRedis, REDIS } from '../redis.js'
import { type ServiceProcess, startProcess } from './process.js'

/** A database of Redis that nothing else uses. */
const REDIS_URL = `${REDIS}/13`
const START_MS = 120_000
/** Many more than are done at a time: some wait when the first are done, and are seen to. */
const TARGETS = 20

let devnet: Devnet
const dataDir = mkdtempSync(join(tmpdir(), 'assay-fleet-'))
const running = new Set<ServiceProcess>()
beforeAll(async () => {
  devnet = await startDevnet({ chainId: 1, examples: ['clean'] })
})
afterAll(async () => {
  await Promise.all([...running].map((each) => each.kill()))
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const service = await startProcess({
    ASSAY_RPC_1: devnet.url,
    ASSAY_MAX_HEAD_AGE: '0',
    ASSAY_DATA_DIR: dataDir,
    ...env,
  })
  running.add(service)
  return service
}

async function withKeys<T>(databaseUrl: string | undefined, job: (keys: Keys) => Promise<T>): Promise<T> {
  const store = await createKeyStore({ dataDir, databaseUrl })
  const clock = createSystemClock()
  try {
    return await job({
      issue: (tier) => issueKey({ store, clock }, { label: 'fleet', tier }),
      revoke: (id) => revokeKey({ store, clock }, id),
    })
  } finally {
    await store.close()
  }
}

interface Keys {
  issue(tier: Tier): ReturnType<typeof issueKey>
  revoke(id: string): Promise<string | undefined>
}

const ask = (service: ServiceProcess, key: string) =>
  fetch(`${service.url}/api/batch/unknown`, { headers: { authorization: `Bearer ${key}` } }).then(
    ({ status }) => status,
  )

/**
 * Kills a process in the middle of a batch, and has another one, that knows nothing of it, finish.
 */
async function expectNoJobIsLost(env: Readonly<Record<string, string>>, databaseUrl: string | undefined) {
  const first = await start(env)
  const { key } = await withKeys(databaseUrl, ({ issue }) => issue('partner'))
  const targetContractAddress = devnet.examples[0]?.targetContractAddress ?? ''
  const targets = Array.from({ length: TARGETS }, () => ({ targetContractAddress, chainId: 1, check: 'all' as const }))
  const client = createClient({ baseUrl: first.url, apiKey: key })
  const { id } = await client.createBatch({ targets })
  let batch = await client.readBatch({ id })
  while (batch.waiting === targets.length) {
    await sleep(20)
    batch = await client.readBatch({ id })
  }
  await first.kill()
  expect(batch.waiting).toBeGreaterThan(0)

  const second = await start(env)
  const heir = createClient({ baseUrl: second.url, apiKey: key })
  do {
    await sleep(250)
    batch = await heir.readBatch({ id })
  } while (batch.status === 'waiting')
  expect([batch.done, batch.failed, batch.waiting]).toEqual([TARGETS, 0, 0])
  await second.stop()
}

test('one process with a file: a killed process loses no queued job', () => expectNoJobIsLost({}, undefined), 240_000)

const isFleetPossible = (await hasPostgres()) && (await hasRedis())
describe.skipIf(!isFleetPossible)('processes on one PostgreSQL and one Redis (skipped where they are missing)', () => {
  const schemas = createTestSchemas('assay_fleet')
  let databaseUrl: string
  let env: Record<string, string>
  let one: ServiceProcess
  let two: ServiceProcess
  const emptyRedis = async () => {
    const redis = new Redis(REDIS_URL)
    await redis.flushdb()
    redis.disconnect()
  }
  beforeAll(async () => {
    await emptyRedis()
    databaseUrl = await schemas.newUrl()
    env = { DATABASE_URL: databaseUrl, REDIS_URL }
    // At the same time: both find a database without tables.
    const started = await Promise.all([start(env), start(env)])
    one = started[0]
    two = started[1]
  }, START_MS)
  afterAll(async () => {
    await Promise.all([...running].map((each) => each.kill()))
    await emptyRedis()
    await schemas.drop()
  })

  test('limits are common and exact', async () => {
    const { key } = await withKeys(databaseUrl, ({ issue }) => issue('free'))
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(i % 2 === 0 ? one : two, key)))
    const count = (status: number) => statuses.filter((each) => each === status).length
    expect([count(404), count(429)]).toEqual([30, 30])
  })

  test('a revoked key is refused by every process within a second', async () => {
    const issued = await withKeys(databaseUrl, ({ issue }) => issue('free'))
    expect(await Promise.all([ask(one, issued.key), ask(two, issued.key)])).toEqual([404, 404])
    await withKeys(databaseUrl, ({ revoke }) => revoke(issued.record.id))
    await sleep(1_000)
    expect(await Promise.all([ask(one, issued.key), ask(two, issued.key)])).toEqual([403, 403])
  })

  test('a killed process loses no queued job', async () => {
    await Promise.all([one.stop(), two.stop()])
    await expectNoJobIsLost(env, databaseUrl)
  }, 240_000)
})
