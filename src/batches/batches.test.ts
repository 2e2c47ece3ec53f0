import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { createManualClock, type ManualClock } from '../clock.js'
import type { KeyRecord } from '../keys/key-record.js'
import { sampleRecord } from '../keys/key-store.conformance.js'
import { createMemoryLimiter } from '../limits/memory-limiter.js'
import { type Db, openDatabase } from '../stores/database.js'
import { createSlots } from '../turns/slots.js'
import type { BatchRequest } from './batch.js'
import { KEPT_MS, MAX_OPEN_BATCHES } from './batch-store.js'
import { type Batches, createBatches } from './create-batches.js'
import type { JobQueue, Work } from './job-queue.js'
import { createSqlBatchStore } from './sql-batch-store.js'
import { type BatchWorkOptions, createBatchWork } from './work-on-batch.js'

const never = new AbortController().signal
const request = (n: number): BatchRequest => ({ check: 'all', body: { targetContractAddress: `0x${n}`, chainId: 1 } })
const requests = (count: number) => Array.from({ length: count }, (_, n) => ({ request: request(n) }))

/** A queue that gives turns when the test says so. */
function createHandQueue() {
  const jobs: string[] = []
  let work: Work | undefined
  const queue: JobQueue = {
    async add(id) {
      if (!jobs.includes(id)) jobs.push(id)
    },
    start(given) {
      work = given
    },
    depth: async () => jobs.length,
    async close() {},
  }
  return { queue, jobs, turn: (id: string, signal = never) => work?.(id, signal) }
}

async function setUp(db: Db, overrides: Partial<BatchWorkOptions> = {}, clock: ManualClock = createManualClock()) {
  const key = sampleRecord()
  const analysed: unknown[] = []
  const told: { url: string; body: Record<string, unknown> }[] = []
  const failures: unknown[] = []
  const store = createSqlBatchStore(db)
  const work = createBatchWork({
    store,
    clock,
    findKey: async (id): Promise<KeyRecord | undefined> => (id === key.id ? key : undefined),
    limiter: createMemoryLimiter({ clock }),
    slots: createSlots({ concurrency: 2, maxWaiting: 64 }),
    async analyse({ body }) {
      analysed.push(body.targetContractAddress)
      return { state: 'done', result: { simulation: { success: true, of: body.targetContractAddress } } }
    },
    refuse: (_request, code) => ({ state: 'failed', result: { simulation: { success: false, code } } }),
    async deliver({ url }, body) {
      told.push({ url, body: JSON.parse(body) })
    },
    onWebhookFailure: (error) => failures.push(error),
    ...overrides,
  })
  const hand = createHandQueue()
  const batches: Batches = createBatches({
    store,
    queue: hand.queue,
    work,
    clock,
    onFailure: (error) => failures.push(error),
  })
  batches.start()
  const order = async (count: number, webhook?: { url: string; secret: string }) => {
    const batch = await batches.create({ keyId: key.id, requests: requests(count), webhook })
    if (batch === undefined) throw new Error('refused')
    return batch.id
  }
  return { clock, key, analysed, told, failures, store, hand, batches, order }
}

function suite(open: () => Promise<Db>) {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.destroy())

  test('analyses every target once and keeps the results in the order of the request', async () => {
    const { batches, order, hand, analysed, key } = await setUp(db)
    const id = await order(5)
    expect(await hand.turn(id)).toBeUndefined()
    expect(analysed.toSorted()).toEqual(['0x0', '0x1', '0x2', '0x3', '0x4'])
    const status = await batches.read(id, key.id, 0)
    expect(status?.batch.finishedAt).toBeTypeOf('number')
    expect([...(status?.results ?? [])].toSorted().map(([, text]) => JSON.parse(text).simulation.of)).toEqual([
      '0x0',
      '0x1',
      '0x2',
      '0x3',
      '0x4',
    ])
  })

  test('goes as far as the limit of the key allows, leaves a fifth of it, and goes on when there is room', async () => {
    const { clock, order, hand, analysed, batches, key } = await setUp(db)
    const id = await order(20)
    expect(await hand.turn(id)).toEqual({ againInMs: 60_000 })
    expect(analysed.length).toBe(8)
    clock.advance(59_999)
    expect(await hand.turn(id)).toEqual({ againInMs: 1 })
    expect(analysed.length).toBe(8)
    clock.advance(1)
    await hand.turn(id)
    expect(analysed.length).toBe(16)
    clock.advance(60_000)
    expect(await hand.turn(id)).toBeUndefined()
    expect(analysed.length).toBe(20)
    expect(new Set(analysed).size).toBe(20)
    expect((await batches.read(id, key.id, 0))?.items.every(({ state }) => state === 'done')).toBe(true)
  })

  test('what was stored before a death is not analysed again, and what was not is', async () => {
    const controller = new AbortController()
    let begun = 0
    const dying = await setUp(db, {
      async analyse() {
        begun += 1
        if (begun === 4) controller.abort()
        return { state: 'done', result: { begun } }
      },
    })
    const id = await dying.order(8)
    expect(await dying.hand.turn(id, controller.signal)).toEqual({ againInMs: 0 })
    const stored = (await dying.store.listItems(id)).filter(({ state }) => state === 'done').length
    const next = await setUp(db)
    await expect.poll(() => next.hand.jobs).toContain(id)
    expect(await next.hand.turn(id)).toBeUndefined()
    expect(next.analysed.length).toBe(8 - stored)
    expect(stored).toBeGreaterThan(0)
  })

  test('an item that kills its process again and again is given up', async () => {
    const { order, hand, store, analysed } = await setUp(db)
    const id = await order(1)
    for (let deaths = 0; deaths < 5; deaths += 1) await store.beginItem(id, 0)
    expect(await hand.turn(id)).toBeUndefined()
    expect(analysed).toEqual([])
    expect((await store.listItems(id)).map(({ state }) => state)).toEqual(['failed'])
    expect((await store.readResults(id, [0])).get(0)).toContain('server_error')
  })

  test('a key that was revoked pays for nothing more', async () => {
    const { order, hand, store, analysed } = await setUp(db, {
      findKey: async () => sampleRecord({ revokedAt: 1 }),
    })
    const id = await order(2)
    expect(await hand.turn(id)).toBeUndefined()
    expect(analysed).toEqual([])
    expect((await store.readResults(id, [0, 1])).get(1)).toContain('invalid_key')
  })

  test('a target that cannot be analysed costs nothing', async () => {
    const { batches, hand, analysed, key } = await setUp(db)
    const outcome = { state: 'failed', result: { simulation: { success: false } } } as const
    const batch = await batches.create({
      keyId: key.id,
      requests: [{ request: request(1), outcome }],
      webhook: undefined,
    })
    expect(await hand.turn(batch?.id ?? '')).toBeUndefined()
    expect(analysed).toEqual([])
    expect((await batches.read(batch?.id ?? '', key.id, 0))?.results.size).toBe(1)
  })

  test('is nobody else’s', async () => {
    const { batches, order } = await setUp(db)
    expect(await batches.read(await order(1), 'key_other', 0)).toBeUndefined()
  })

  test('a key has a bounded number of open batches; finished ones do not count', async () => {
    const stage = await setUp(db, {})
    const keyId = `key_${Math.random()}`
    const create = () => stage.batches.create({ keyId, requests: requests(1), webhook: undefined })
    const made = []
    for (let i = 0; i < MAX_OPEN_BATCHES; i += 1) made.push(await create())
    expect(await create()).toBeUndefined()
    await stage.hand.turn(made[0]?.id ?? '')
    expect(await create()).toBeDefined()
  })

  test('results that do not fit into one answer come in the next', async () => {
    const { batches, order, hand, key } = await setUp(db, {
      analyse: async () => ({ state: 'done', result: { long: 'x'.repeat(3_000_000) } }),
    })
    const id = await order(3)
    await hand.turn(id)
    const first = await batches.read(id, key.id, 0)
    expect([[...(first?.results.keys() ?? [])], first?.next]).toEqual([[0], 1])
    const last = await batches.read(id, key.id, 2)
    expect([[...(last?.results.keys() ?? [])], last?.next]).toEqual([[2], undefined])
  })

  test('old batches are forgotten when new ones come', async () => {
    const clock = createManualClock()
    const { batches, order, key } = await setUp(db, {}, clock)
    const id = await order(1)
    clock.advance(KEPT_MS + 1)
    await order(1)
    expect(await batches.read(id, key.id, 0)).toBeUndefined()
  })

  describe('the webhook', () => {
    const webhook = { url: 'https://hooks.example/', secret: 's'.repeat(16) }

    test('is told once, when everything is done', async () => {
      const { clock, order, hand, told, store } = await setUp(db)
      const id = await order(9, webhook)
      await hand.turn(id)
      expect(told).toEqual([])
      clock.advance(60_000)
      expect(await hand.turn(id)).toBeUndefined()
      await hand.turn(id)
      expect(told.map(({ body }) => [body.id, body.total, body.done, body.failed])).toEqual([[id, 9, 9, 0]])
      expect((await store.find(id))?.webhookState).toBe('delivered')
    })

    test('is tried six times with growing pauses, and then given up', async () => {
      const { order, hand, store, failures } = await setUp(db, { deliver: () => Promise.reject(new Error('down')) })
      const id = await order(1, webhook)
      const pauses: unknown[] = []
      for (let turn = 0; turn < 6; turn += 1) pauses.push((await hand.turn(id))?.againInMs)
      expect(pauses).toEqual([5_000, 30_000, 300_000, 1_500_000, 3_600_000, undefined])
      expect([(await store.find(id))?.webhookState, failures.length]).toEqual(['failed', 6])
      expect(await store.listOpen()).not.toContain(id)
    })
  })
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
describe('batches in SQLite', () => {
  suite(() => {
    const dataDir = mkdtempSync(join(tmpdir(), 'assay-batches-'))
    folders.push(dataDir)
    return openDatabase({ dataDir, databaseUrl: undefined })
  })
})

const isPostgresThere = await hasPostgres()
describe.skipIf(!isPostgresThere)('batches in PostgreSQL (skipped where none listens on port 5432)', () => {
  const schemas = createTestSchemas('assay_batches')
  afterAll(schemas.drop)
  suite(async () => openDatabase({ dataDir: '', databaseUrl: await schemas.newUrl() }))
})
