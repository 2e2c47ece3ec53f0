import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { hasRedis, REDIS, REDIS_PORT } from '../../test/redis.js'
import { startSilentProxy } from '../../test/silent-proxy.js'
import { createManualClock, createSystemClock } from '../clock.js'
import { openDatabase } from '../stores/database.js'
import { jobOf, jobQueueConformance, type QueueStage, STAGE_KIND, STAGE_LEASE_MS } from './job-queue.conformance.js'
import type { JobQueue } from './job-queue.js'
import { createRedisJobQueue } from './redis-job-queue.js'
import { createSqlJobQueue } from './sql-job-queue.js'

// What a test makes fail, fails on purpose.
const clock = createSystemClock()
const options = { kind: STAGE_KIND, clock, leaseMs: STAGE_LEASE_MS, onFailure: () => {} }

function stage(open: () => JobQueue, close: () => Promise<void>): QueueStage {
  const queues: JobQueue[] = []
  return {
    open() {
      const queue = open()
      queues.push(queue)
      return queue
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()))
      await close()
    },
  }
}

async function sqlStage(config: { dataDir: string; databaseUrl: string | undefined }): Promise<QueueStage> {
  const db = await openDatabase(config)
  return stage(
    () => createSqlJobQueue({ db, ...options }),
    () => db.destroy(),
  )
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
jobQueueConformance('SQLite', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-jobs-'))
  folders.push(dataDir)
  return sqlStage({ dataDir, databaseUrl: undefined })
})

describe('a clock that is set back', () => {
  const HOURS = 3_600_000
  async function onQueue(job: (queue: JobQueue, clock: ReturnType<typeof createManualClock>) => Promise<void>) {
    const dataDir = mkdtempSync(join(tmpdir(), 'assay-jobs-'))
    folders.push(dataDir)
    const db = await openDatabase({ dataDir, databaseUrl: undefined })
    const manual = createManualClock()
    const queue = createSqlJobQueue({ ...options, db, clock: manual })
    await job(queue, manual)
    await queue.close()
    await db.destroy()
  }

  test('38: keeps no job waiting that was added before', () =>
    onQueue(async (queue, manual) => {
      const done: string[] = []
      await queue.add(jobOf('a'))
      manual.step(-2 * HOURS)
      queue.start(async (id) => void done.push(id))
      await expect.poll(() => done, { timeout: 20_000 }).toEqual(['a'])
    }))

  test('a job that is put off for its longest pause waits for it', () =>
    onQueue(async (queue) => {
      const turns: string[] = []
      await queue.add(jobOf('a'))
      queue.start(async (id) => {
        turns.push(id)
        return id === 'a' ? { againInMs: STAGE_KIND.longestPauseMs } : undefined
      })
      await expect.poll(() => turns, { timeout: 20_000 }).toEqual(['a'])
      for (const later of ['b', 'c', 'd']) {
        await queue.add(jobOf(later))
        await expect.poll(() => turns.at(-1), { timeout: 20_000 }).toBe(later)
      }
      expect(turns).toEqual(['a', 'b', 'c', 'd'])
    }))
})

const isPostgresThere = await hasPostgres()
describe.skipIf(!isPostgresThere)('PostgreSQL (skipped where none listens on port 5432)', () => {
  const schemas = createTestSchemas('assay_jobs')
  afterAll(schemas.drop)
  jobQueueConformance('PostgreSQL', async () => sqlStage({ dataDir: '', databaseUrl: await schemas.newUrl() }))
})

const isRedisThere = await hasRedis()
const removeAll = async (prefix: string) => {
  const admin = new Redis(REDIS)
  const keys = await admin.keys(`${prefix}:*`)
  if (keys.length > 0) await admin.del(...keys)
  admin.disconnect()
}
describe.skipIf(!isRedisThere)('Redis (skipped where none listens on port 6379)', () => {
  jobQueueConformance('Redis', async () => {
    const prefix = `assay-test-${randomUUID()}`
    return stage(
      () => createRedisJobQueue({ url: REDIS, prefix, ...options }),
      () => removeAll(prefix),
    )
  })

  test('41: connections that fall silent are left for new ones', async () => {
    const proxy = await startSilentProxy(REDIS_PORT)
    const prefix = `assay-test-${randomUUID()}`
    const queue = createRedisJobQueue({ url: `redis://127.0.0.1:${proxy.port}`, prefix, ...options })
    const done: string[] = []
    queue.start(async (id) => {
      done.push(id)
      return undefined
    })
    await queue.add(jobOf('a'))
    await expect.poll(() => done, { timeout: 10_000 }).toEqual(['a'])
    proxy.fallSilent()
    const addAgain = () => queue.add(jobOf('b')).catch(() => {})
    // Longer than the worker's own connection may be silent.
    await expect.poll(() => addAgain().then(() => done), { timeout: 40_000, interval: 500 }).toEqual(['a', 'b'])
    await queue.close()
    await proxy.close()
    await removeAll(prefix)
  }, 60_000)
})
