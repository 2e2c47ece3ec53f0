import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bytesFor } from '../../src/batches/batch-store.js'
import { createBatches, webhookJob } from '../../src/batches/create-batches.js'
import { BATCH_QUEUE, type QueueKind, WEBHOOK_QUEUE } from '../../src/batches/job-queue.js'
import { createRedisJobQueue } from '../../src/batches/redis-job-queue.js'
import { createSqlBatchStore } from '../../src/batches/sql-batch-store.js'
import { createSqlJobQueue } from '../../src/batches/sql-job-queue.js'
import { createBatchWork } from '../../src/batches/work-on-batch.js'
import { createWebhookWork } from '../../src/batches/work-on-webhook.js'
import { createSystemClock } from '../../src/clock.js'
import { sampleRecord } from '../../src/keys/key-store.conformance.js'
import { createMemoryLimiter } from '../../src/limits/memory-limiter.js'
import { createConcurrencyLimit } from '../../src/scheduling/concurrency-limit.js'
import { openDatabase } from '../../src/stores/database.js'
import { hasRedis, REDIS } from '../redis.js'

const dataDir = mkdtempSync(join(tmpdir(), 'assay-webhooks-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const isRedisThere = await hasRedis()

describe.each([
  ['SQL', true],
  ['Redis', isRedisThere],
] as const)('with a queue in %s', (name, isThere) => {
  test.skipIf(!isThere)(
    'webhooks that hang keep nobody else’s batch or webhook waiting',
    async () => {
      const db = await openDatabase({ dataDir: join(dataDir, name), databaseUrl: undefined })
      const clock = createSystemClock()
      const store = createSqlBatchStore(db)
      const failures: unknown[] = []
      const onFailure = (error: unknown) => void failures.push(error)
      const prefix = `assay-test-${Math.random()}`
      const open = (kind: QueueKind) =>
        name === 'SQL'
          ? createSqlJobQueue({ db, kind, clock, onFailure })
          : createRedisJobQueue({ url: REDIS, kind, prefix, onFailure })
      const webhookQueue = open(WEBHOOK_QUEUE)
      let release = () => {}
      const hanging = new Promise<void>((resolve) => {
        release = resolve
      })
      const told: string[] = []
      const batches = createBatches({
        ...{ store, clock, onFailure, webhookQueue },
        queue: open(BATCH_QUEUE),
        work: createBatchWork({
          ...{
            store,
            clock,
            limiter: createMemoryLimiter({ clock }),
            slots: createConcurrencyLimit({ concurrency: 2, maxWaiting: 64 }),
          },
          findKey: async (id) => sampleRecord({ id }),
          analyse: async () => ({ state: 'done', result: {} }),
          refuse: () => ({ state: 'failed', result: {} }),
          tell: async (batch) => {
            if (batch.webhook) await webhookQueue.add(webhookJob(batch, batch.webhook.url, 0))
          },
        }),
        webhookWork: createWebhookWork({
          ...{ store, clock, onFailure },
          deliver: ({ url }) => {
            told.push(url)
            return url.includes('hangs') ? hanging : Promise.resolve()
          },
        }),
      })
      const order = async (keyId: string, url: string) => {
        const body = { targetContractAddress: `0x${'1'.repeat(40)}`, chainId: 1 }
        const webhook = { url, secret: 's'.repeat(16) }
        const requests = [{ request: { check: 'simulate', body } as const }]
        const made = await batches.create({ keyId, requests, webhook, maxBytes: bytesFor({ analysis: 10 }) })
        if (typeof made === 'string') throw new Error(made)
        return made.id
      }
      const stateOf = async (id: string, keyId: string) => (await batches.read(id, keyId, 0))?.batch.webhookState

      batches.start()
      // Eight are as many as the key may analyse now, and twice the places for batches.
      const greedy = await Promise.all(
        Array.from({ length: 8 }, (_, i) => order('key_greedy', `https://hangs${i}.example/`)),
      )
      await expect.poll(() => told.length, { timeout: 20_000 }).toBe(WEBHOOK_QUEUE.parallelOfOwner)
      const victim = await order('key_victim', 'https://hooks.example/')
      await expect.poll(() => stateOf(victim, 'key_victim'), { timeout: 20_000 }).toBe('delivered')
      const finished = async () => {
        const read = await Promise.all(greedy.map((id) => batches.read(id, 'key_greedy', 0)))
        return read.filter((status) => status?.batch.finishedAt !== undefined).length
      }
      await expect.poll(finished, { timeout: 20_000 }).toBe(greedy.length)
      expect(told.filter((url) => url.includes('hangs')).length).toBe(WEBHOOK_QUEUE.parallelOfOwner)
      release()
      await batches.close()
      await db.destroy()
      expect(failures).toEqual([])
    },
    60_000,
  )
})
