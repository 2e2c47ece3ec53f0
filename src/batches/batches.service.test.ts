import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { createManualClock, type ManualClock } from '../clock.js'
import { BaseError } from '../errors.js'
import type { KeyRecord } from '../keys/key-record.js'
import { sampleRecord } from '../keys/key-store.conformance.js'
import { createMemoryLimiter } from '../limits/memory-limiter.js'
import { createConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import { type Db, openDatabase } from '../stores/database.js'
import { type Batch, type BatchRequest, MAX_ANSWER_CHARS } from './batch.js'
import { bytesFor, KEPT_MS, MAX_OPEN_BATCHES, MAX_WAITING_WEBHOOKS, type Refusal } from './batch-store.js'
import { type Batches, type BatchOrder, type BatchStatus, createBatches, webhookJob } from './create-batches.js'
import type { Job, JobQueue, Work } from './job-queue.js'
import { createSqlBatchStore } from './sql-batch-store.js'
import { type BatchWorkOptions, createBatchWork } from './work-on-batch.js'
import { createWebhookWork, type WebhookWorkOptions } from './work-on-webhook.js'

const never = new AbortController().signal
const request = (n: number): BatchRequest => ({ check: 'all', body: { targetContractAddress: `0x${n}`, chainId: 1 } })
const requests = (count: number) => Array.from({ length: count }, (_, n) => ({ request: request(n) }))

/** A queue that gives turns when the test says so. */
function createHandQueue() {
  const jobs: string[] = []
  const added: Job[] = []
  let work: Work | undefined
  const queue: JobQueue = {
    async add(job) {
      added.push(job)
      if (!jobs.includes(job.id)) jobs.push(job.id)
    },
    start(given) {
      work = given
    },
    depth: async () => jobs.length,
    async close() {},
  }
  return { queue, jobs, added, turn: (id: string, signal = never) => work?.(id, signal) }
}

type Overrides = Partial<BatchWorkOptions & Pick<WebhookWorkOptions, 'deliver'>>

async function setUp(db: Db, overrides: Overrides = {}, clock: ManualClock = createManualClock()) {
  const key = sampleRecord()
  const analysed: unknown[] = []
  const told: { url: string; body: Record<string, unknown> }[] = []
  const failures: unknown[] = []
  const store = createSqlBatchStore(db)
  const hand = createHandQueue()
  const hooks = createHandQueue()
  const work = createBatchWork({
    store,
    clock,
    findKey: async (id): Promise<KeyRecord | undefined> => (id === key.id ? key : undefined),
    limiter: createMemoryLimiter({ clock }),
    slots: createConcurrencyLimit({ concurrency: 2, maxWaiting: 64 }),
    async analyse({ body }) {
      analysed.push(body.targetContractAddress)
      return { state: 'done', result: { simulation: { success: true, of: body.targetContractAddress } } }
    },
    refuse: (_request, code) => ({ state: 'failed', result: { simulation: { success: false, code } } }),
    async tell(batch) {
      if (batch.webhook) await hooks.queue.add(webhookJob(batch, batch.webhook.url, 0))
    },
    ...overrides,
  })
  const webhookWork = createWebhookWork({
    store,
    clock,
    async deliver({ url }, body) {
      told.push({ url, body: JSON.parse(body) })
    },
    onFailure: (error) => failures.push(error),
    ...overrides,
  })
  const batches: Batches = createBatches({
    store,
    queue: hand.queue,
    work,
    webhookQueue: hooks.queue,
    webhookWork,
    clock,
    onFailure: (error) => failures.push(error),
  })
  batches.start()
  const create = (order: Partial<BatchOrder> = {}) =>
    batches.create({
      keyId: key.id,
      requests: requests(1),
      webhook: undefined,
      maxBytes: bytesFor(key.limits),
      ...order,
    })
  const order = async (count: number, webhook?: { url: string; secret: string }) =>
    idOf(await create({ requests: requests(count), webhook }))
  return { create, hooks, clock, key, analysed, told, failures, store, hand, batches, order }
}

const idOf = (made: Batch | Refusal): string => {
  if (typeof made === 'string') throw new Error(`refused: ${made}`)
  return made.id
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

  test('an item that the machine had no time for is analysed again, and in the end kept as it is', async () => {
    let analyses = 0
    const { order, hand, batches, key } = await setUp(db, {
      limiter: createMemoryLimiter({ clock: createManualClock() }),
      async analyse() {
        analyses += 1
        return { state: 'failed', result: { simulation: { success: false, code: 'machine_busy' } } }
      },
    })
    const id = await order(1)
    for (let turn = 1; turn < 5; turn += 1) expect(await hand.turn(id)).toEqual({ againInMs: 2_000 })
    expect(await hand.turn(id)).toBeUndefined()
    const status = await batches.read(id, key.id, 0)
    expect([analyses, status?.items.map(({ state }) => state)]).toEqual([5, ['failed']])
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
    const { batches, create, hand, analysed, key } = await setUp(db)
    const outcome = { state: 'failed', result: { simulation: { success: false } } } as const
    const id = idOf(await create({ requests: [{ request: request(1), outcome }] }))
    expect(await hand.turn(id)).toBeUndefined()
    expect(analysed).toEqual([])
    expect((await batches.read(id, key.id, 0))?.results.size).toBe(1)
  })

  test('belongs to its owner alone', async () => {
    const { batches, order } = await setUp(db)
    expect(await batches.read(await order(1), 'key_other', 0)).toBeUndefined()
  })

  test('a key has a bounded number of open batches; finished ones do not count', async () => {
    const stage = await setUp(db, {})
    const keyId = `key_${Math.random()}`
    const create = () => stage.create({ keyId })
    const made: (Batch | Refusal)[] = []
    for (let i = 0; i < MAX_OPEN_BATCHES; i += 1) made.push(await create())
    expect(await create()).toBe('open')
    await stage.hand.turn(idOf(made[0] ?? 'open'))
    expect(idOf(await create())).toMatch(/^batch_/)
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

  test('old batches are gone, and cleared away when new ones come', async () => {
    const clock = createManualClock()
    const { batches, create, store, key } = await setUp(db, {}, clock)
    const keyId = `key_${Math.random()}`
    const old = idOf(await create({ keyId }))
    expect((await batches.read(old, keyId, 0))?.items.length).toBe(1)
    clock.advance(KEPT_MS + 1)
    expect(await batches.read(old, keyId, 0)).toBeUndefined()
    while ((await store.find(old)) !== undefined) await create({ keyId: `key_${Math.random()}` })
    expect([await store.listItems(old), key.id === keyId]).toEqual([[], false])
  })

  describe('the webhook', () => {
    const webhook = { url: 'https://hooks.example/', secret: 's'.repeat(16) }
    const UNTOLD = ['waiting', 'failed'] as const

    test('is told once, when everything is done, and not by the one who analyses', async () => {
      const { clock, order, hand, hooks, told, store, key } = await setUp(db)
      const id = await order(9, webhook)
      await hand.turn(id)
      expect([hooks.added, told]).toEqual([[], []])
      clock.advance(60_000)
      expect(await hand.turn(id)).toBeUndefined()
      expect([hooks.added, told]).toEqual([[{ id, owner: key.id, lane: `${key.id} hooks.example`, waiting: 0 }], []])
      expect(await hooks.turn(id)).toBeUndefined()
      await hooks.turn(id)
      expect(told.map(({ body }) => [body.id, body.total, body.done, body.failed])).toEqual([[id, 9, 9, 0]])
      expect((await store.find(id))?.webhookState).toBe('delivered')
    })

    test('is tried six times with growing pauses, is dead then, and told again when its owner asks for it', async () => {
      const { order, hand, hooks, store, failures, batches, key } = await setUp(db, {
        deliver: () => Promise.reject(new BaseError('The receiver is down')),
      })
      const id = await order(1, webhook)
      await hand.turn(id)
      const pauses: unknown[] = []
      for (let turn = 0; turn < 6; turn += 1) pauses.push((await hooks.turn(id))?.againInMs)
      expect(pauses).toEqual([5_000, 30_000, 300_000, 1_500_000, 3_600_000, undefined])
      expect([(await store.find(id))?.webhookState, failures.length]).toEqual(['failed', 6])
      const untold = await batches.listWebhooks(key.id, UNTOLD)
      expect(untold.find((each) => each.id === id)).toMatchObject({
        webhookState: 'failed',
        webhookAttempts: 6,
        webhookFailure: 'The receiver is down',
      })
      expect(await batches.listWebhooks('key_other', UNTOLD)).toEqual([])
      expect((await store.listUndelivered()).map((each) => each.id)).not.toContain(id)
      expect(await hooks.turn(id)).toBeUndefined()

      expect(await batches.redeliver(id, 'key_other')).toBeUndefined()
      expect(await batches.redeliver(id, key.id)).toMatchObject({ webhookState: 'waiting', webhookAttempts: 0 })
      expect((await store.listUndelivered()).map((each) => each.id)).toContain(id)
      expect(await hooks.turn(id)).toEqual({ againInMs: 5_000 })
      expect(failures.length).toBe(7)
    })

    test('an attempt that our stopping cut short is none', async () => {
      const stop = new AbortController()
      const { order, hand, hooks, store, failures } = await setUp(db, {
        deliver: (_webhook, _body, signal) => {
          stop.abort(new Error('stopping'))
          return Promise.reject(signal.reason)
        },
      })
      const id = await order(1, webhook)
      await hand.turn(id)
      expect(await hooks.turn(id, stop.signal)).toEqual({ againInMs: 0 })
      expect([(await store.find(id))?.webhookAttempts, failures]).toEqual([0, []])
    })

    test('batches are listed for their own key alone, newest first, with how far they are', async () => {
      const { order, hand, batches, key } = await setUp(db)
      const [older, newer] = [await order(2), await order(1)]
      await hand.turn(older)
      const listed = (await batches.list(key.id)).filter(({ batch }) => [older, newer].includes(batch.id))
      expect(listed).toMatchObject([
        { batch: { id: newer, finishedAt: undefined }, waiting: 1, done: 0, failed: 0 },
        { batch: { id: older, finishedAt: expect.any(Number) }, waiting: 0, done: 2, failed: 0 },
      ])
      expect(await batches.list('key_other')).toEqual([])
    })

    test('what was told is listed apart, and what is not finished not at all', async () => {
      const { order, hand, hooks, batches, key } = await setUp(db)
      const [told, waiting, open] = [await order(1, webhook), await order(1, webhook), await order(1, webhook)]
      for (const id of [told, waiting]) await hand.turn(id)
      await hooks.turn(told)
      const listed = (await batches.listWebhooks(key.id, UNTOLD)).map(({ id }) => id)
      expect([told, waiting, open].map((id) => listed.includes(id))).toEqual([false, true, false])
      expect((await batches.listWebhooks(key.id, ['failed'])).map(({ id }) => id)).not.toContain(waiting)
      const delivered = (await batches.listWebhooks(key.id, ['delivered'])).map(({ id }) => id)
      expect([told, waiting, open].map((id) => delivered.includes(id))).toEqual([true, false, false])
    })

    test('a batch without one has none to tell', async () => {
      const { order, batches, key } = await setUp(db)
      expect(await batches.redeliver(await order(1), key.id)).toBe('none')
    })

    test('what an earlier process left untold is told by the next', async () => {
      const before = await setUp(db)
      const id = await before.order(1, webhook)
      await before.hand.turn(id)
      const after = await setUp(db)
      await expect.poll(() => after.hooks.jobs).toContain(id)
      await after.hooks.turn(id)
      expect(after.told.map(({ body }) => body.id)).toEqual([id])
    })

    test('a key has a bounded number of untold ones; batches without a webhook, and other keys, are not refused', async () => {
      const { create, hand } = await setUp(db)
      const keyId = `key_${Math.random()}`
      for (let i = 0; i < MAX_WAITING_WEBHOOKS; i += 1) await hand.turn(idOf(await create({ keyId, webhook })))
      expect(await create({ keyId, webhook })).toBe('webhooks')
      expect(idOf(await create({ keyId }))).toMatch(/^batch_/)
      expect(idOf(await create({ webhook }))).toMatch(/^batch_/)
    })
  })

  describe('the share of a key', () => {
    const noise = () => randomBytes(50_000).toString('hex')

    test('counts requests and packed results, and refuses targets and orders beyond it', async () => {
      const limits = { analysis: 1, general: 30 }
      const keyId = `key_${Math.random()}`
      const stage = await setUp(db, {
        findKey: async () => sampleRecord({ limits }),
        analyse: async () => ({ state: 'done', result: { noise: noise() } }),
      })
      const maxBytes = 120_000
      const first = idOf(await stage.create({ keyId, requests: requests(3), maxBytes }))
      expect(await stage.store.bytesOf(keyId)).toBeLessThan(1_000)
      for (const position of [0, 1, 2]) {
        await stage.store.finishItem(first, position, { state: 'done', result: { noise: noise() } })
      }
      const stored = await stage.store.bytesOf(keyId)
      expect(stored).toBeGreaterThan(150_000)
      expect(stored).toBeLessThan(200_000)
      expect(await stage.create({ keyId, maxBytes })).toBe('bytes')
      expect(idOf(await stage.create({ keyId, maxBytes: stored + 1 }))).toMatch(/^batch_/)
    })

    test('a target whose turn comes when it is used up fails, and is neither analysed nor counted', async () => {
      const { create, hand, store, analysed } = await setUp(db)
      const id = idOf(await create({ requests: requests(2) }))
      const used: typeof store = { ...store, bytesOf: async () => bytesFor({ analysis: 10 }) }
      const poor = await setUp(db, {
        store: used,
        limiter: { take: () => Promise.reject(new Error('counted')), close: async () => {} },
      })
      expect(await poor.hand.turn(id)).toBeUndefined()
      expect([analysed, poor.analysed]).toEqual([[], []])
      expect((await store.readResults(id, [0, 1])).get(1)).toContain('storage_limit')
      expect(await hand.turn(id)).toBeUndefined()
    })

    test('an item that two processes finish counts once, and keeps the first result', async () => {
      const { create, store } = await setUp(db)
      const keyId = `key_${Math.random()}`
      const id = idOf(await create({ keyId }))
      await store.finishItem(id, 0, { state: 'done', result: { by: 'first' } })
      const bytes = await store.bytesOf(keyId)
      await store.finishItem(id, 0, { state: 'failed', result: { by: noise() } })
      expect([await store.bytesOf(keyId), (await store.readResults(id, [0])).get(0)]).toEqual([bytes, '{"by":"first"}'])
    })
  })

  test('results of an earlier version are read one at an answer, and never measured', async () => {
    const { order, batches, key, store } = await setUp(db)
    const id = await order(3)
    await store.finishItem(id, 0, { state: 'done', result: { of: 'now' } })
    const columns = { state: 'done', result: '{"of":"before"}', result_chars: null, packed: null }
    await db.updateTable('batch_items').set(columns).where('batch_id', '=', id).where('position', '>', 0).execute()
    expect((await store.listItems(id)).map(({ resultChars }) => resultChars)).toEqual([
      12,
      MAX_ANSWER_CHARS,
      MAX_ANSWER_CHARS,
    ])
    const pages = []
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page: BatchStatus | undefined = await batches.read(id, key.id, from)
      pages.push([...(page?.results ?? [])])
      from = page?.next
    }
    expect(pages).toEqual([[[0, '{"of":"now"}']], [[1, '{"of":"before"}']], [[2, '{"of":"before"}']]])
  })

  test('a look at a batch of a hundred large results reads none but those that it shows', async () => {
    const { create, batches, key, store } = await setUp(db)
    const id = idOf(await create({ requests: requests(100) }))
    const long = 'x'.repeat(1_000_000)
    for (let position = 0; position < 100; position += 1) {
      await store.finishItem(id, position, { state: 'done', result: { long } })
    }
    const status = await batches.read(id, key.id, 0)
    expect([status?.items.length, status?.results.size, status?.next]).toEqual([100, 3, 3])
    // Packed they take a thousandth.
    expect(await store.bytesOf(key.id)).toBeLessThan(10_000_000)
  })

  test('a turn at a long batch ends in time for those who wait, and the next one goes on', async () => {
    const clock = createManualClock()
    const { create, hand, analysed } = await setUp(
      db,
      {
        findKey: async () => sampleRecord({ limits: { analysis: 1_000, general: 1_000 } }),
        async analyse({ body }) {
          clock.advance(1_000)
          analysed.push(body.targetContractAddress)
          return { state: 'done', result: {} }
        },
      },
      clock,
    )
    const id = idOf(await create({ requests: requests(30) }))
    expect(await hand.turn(id)).toEqual({ againInMs: 0 })
    expect(analysed.length).toBeGreaterThanOrEqual(10)
    expect(analysed.length).toBeLessThan(20)
    for (let turns = 0; turns < 3 && (await hand.turn(id)) !== undefined; turns += 1);
    expect(new Set(analysed).size).toBe(30)
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
