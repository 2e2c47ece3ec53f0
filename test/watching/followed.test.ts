import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobQueue } from '../../src/batches/job-queue.js'
import { createManualClock } from '../../src/clock.js'
import { type Address, toPaddedHex } from '../../src/hex.js'
import { type Db, openDatabase } from '../../src/stores/database.js'
import { createWatches } from '../../src/watching/create-watches.js'
import { createChainFollower, LEASE_MS } from '../../src/watching/follow-chain.js'
import type { FollowedChain, LinkedBlock } from '../../src/watching/followed-chain.js'
import { createSqlWatchStore } from '../../src/watching/sql-watch-store.js'
import { createTestApp, TOKEN } from '../http/test-app.js'

const CHAIN = 1
const CHECKSUMMED = '0x514910771AF9Ca656af840dff83E8264EcF986CA'
const SWITCH = 5n
/** Longer than the newest block may be away before a watch says so. */
const LONG_MS = 31_000

let db: Db
const dataDir = mkdtempSync(join(tmpdir(), 'assay-followed-'))
beforeAll(async () => {
  db = await openDatabase({ dataDir, databaseUrl: undefined })
})
afterAll(async () => {
  await db?.destroy()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A chain whose blocks a test makes, and whose node it can take away. */
function createMadeUpChain() {
  const hashOf = (number: bigint) => toPaddedHex(number + 1n, 32)
  const headerOf = (number: bigint): LinkedBlock => ({ number, hash: hashOf(number), parentHash: hashOf(number - 1n) })
  const written = new Map<bigint, bigint>()
  const node = { head: 100n, isThere: true, areWordsThere: true }
  const asked = <T>(answer: T): Promise<T> =>
    node.isThere ? Promise.resolve(answer) : Promise.reject(new Error('no node answers'))
  const chain: FollowedChain = {
    newest: () => asked(headerOf(node.head)),
    standing: () => asked('there' as const),
    next: ({ number }) => asked(headerOf(number + 1n)),
    readChanges({ number }) {
      const value = written.get(number)
      const words = value === undefined ? [] : [[SWITCH, { value, transaction: hashOf(number) }] as const]
      return asked({ words: new Map([[TOKEN as Address, new Map(words)]]), codes: new Map() })
    },
    async readWords({ number }) {
      if (!node.areWordsThere) throw new Error('no node tells words')
      const value = [...written].findLast(([at]) => at <= number)?.[1] ?? 0n
      return asked(new Map([[TOKEN, new Map([[SWITCH, { value, transaction: undefined }]])]]))
    },
    ...{ wordsAtOnce: 100, maxMissed: 512n },
  }
  return {
    ...{ chain, node },
    mine(value?: bigint) {
      node.head += 1n
      if (value !== undefined) written.set(node.head, value)
    },
  }
}

const NO_QUEUE: JobQueue = {
  ...{ add: async () => {}, start: () => {}, depth: async () => 0, close: async () => {} },
}

/** The service with a watch on a judged token, and the process that follows its chain. */
async function setUp() {
  for (const table of ['watches', 'watched_tokens', 'watch_chains', 'alerts'] as const)
    await db.deleteFrom(table).execute()
  const store = createSqlWatchStore(db)
  const clock = createManualClock()
  const made = createMadeUpChain()
  const follow = (holder: string) => createChainFollower({ chainId: CHAIN, store, holder, clock, chain: made.chain })
  const watches = createWatches({
    ...{ store, clock, chainIds: [CHAIN], queue: NO_QUEUE, onFailure: () => {} },
    ...{ follow: () => follow('unused'), judgeAgain: async () => false, work: async () => undefined },
  })
  const { app, key, issue } = await createTestApp({ services: { clock, watches } })
  const ask = async (method: 'GET' | 'POST', path: string, as = key) => {
    const payload = method === 'POST' ? { targetContractAddress: TOKEN, chainId: CHAIN } : undefined
    const headers = { authorization: `Bearer ${as}` }
    const response = await app.inject({ method, url: `/api/watches${path}`, headers, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.json() }
  }
  const { id } = (await ask('POST', '')).body.watch
  const token = await store.claimDue([CHAIN], { now: clock.now(), leaseMs: LEASE_MS })
  if (!token) throw new Error('what was ordered is not due')
  await store.settle({
    token,
    judgement: {
      ...{ level: 'Low Risk', score: 10, advice: 'No trap found', headline: 'Fine.', token: null },
      ...{ buyTaxBps: 0, sellTaxBps: 0, isHoneypot: false, isWhole: true },
      block: { number: made.node.head, hash: toPaddedHex(made.node.head + 1n, 32) },
    },
    dependencies: {
      words: [{ address: TOKEN, slot: SWITCH, value: 0n, role: 'decides' }],
      ...{ codes: [], isTruncated: false, nextChange: undefined, nextUnlock: Date.UTC(2030, 0) / 1_000 },
    },
    ...{ judgedAt: clock.now(), dueAt: Number.MAX_SAFE_INTEGER, alerts: [] },
  })
  const one = follow('one')
  return {
    ...{ ...made, clock, ask, id, issue, follow },
    /** Looks as often as the time that passes asks for; failures of the node are its own. */
    async pass(ms: number, follower = one) {
      for (let passed = 0; passed < ms; passed += 1_000) {
        await follower.look().catch(() => {})
        clock.advance(1_000)
      }
    },
    followed: async () => (await ask('GET', `/${id}`)).body.watch.followed,
    told: async () => (await ask('GET', '/alerts')).body.alerts as { kind: string; block: { number: number } }[],
  }
}

test('a watch says how far its chain was followed, to its key alone', async () => {
  const { ask, id, followed, pass, mine, clock, issue } = await setUp()
  expect(await followed()).toBeNull()
  await pass(3_000)
  mine()
  await pass(3_000)
  const at = await followed()
  expect(at).toMatchObject({ block: 101, isCurrent: true })
  expect(clock.now() - Date.parse(at.reachedAt)).toBeLessThanOrEqual(3_000)
  expect((await ask('GET', '')).body.watches).toMatchObject([{ id, followed: at }])
  const { key: other } = await issue()
  expect(await ask('GET', `/${id}`, other)).toMatchObject({ status: 404, body: { success: false } })
})

test('a watch names what its verdict stands on, to its key alone', async () => {
  const { ask, id, issue } = await setUp()
  const { body } = await ask('GET', `/${id}/dependencies`)
  expect(body).toEqual({
    success: true,
    words: [{ address: CHECKSUMMED, slot: '0x5', value: '0x0', role: 'decides' }],
    ...{ codes: [], isComplete: true, dates: { change: null, unlock: '2030-01-01T00:00:00.000Z' } },
  })
  const { key: other } = await issue()
  expect(await ask('GET', `/${id}/dependencies`, other)).toMatchObject({ status: 404, body: { success: false } })
})

test('while no node answers a watch says since when, and what happened is told once one does', async () => {
  const { node, followed, pass, mine, told } = await setUp()
  await pass(3_000)
  const before = await followed()
  node.isThere = false
  mine(1n)
  await pass(LONG_MS)
  const during = await followed()
  expect(during).toMatchObject({ block: 100, isCurrent: false })
  expect(Date.parse(during.reachedAt) - Date.parse(before.reachedAt)).toBeLessThanOrEqual(2_000)
  expect(await told()).toEqual([])
  node.isThere = true
  await pass(3_000)
  expect(await followed()).toMatchObject({ block: 101, isCurrent: true })
  expect(await told()).toMatchObject([{ kind: 'condition', block: { number: 101 } }])
})

test('a chain that makes no block for long is looked at all the same', async () => {
  const { followed, pass } = await setUp()
  await pass(3_000)
  await pass(2 * LONG_MS)
  expect(await followed()).toMatchObject({ block: 100, isCurrent: true })
})

test('what happens between one process and the next is told by the next, and seen', async () => {
  const { followed, pass, follow, mine, told } = await setUp()
  await pass(3_000)
  mine(1n)
  // The one that followed is gone: its lease runs out, and not sooner.
  await pass(LEASE_MS - 1_000, follow('two'))
  expect(await told()).toEqual([])
  await pass(5_000, follow('three'))
  expect(await followed()).toMatchObject({ block: 101, isCurrent: true })
  expect(await told()).toMatchObject([{ kind: 'condition', block: { number: 101 } }])
})

test('a chain is not said to be seen while a verdict was not compared with its newest block', async () => {
  const { node, followed, pass, mine, told } = await setUp()
  node.areWordsThere = false
  mine(1n)
  await pass(3_000)
  expect((await followed())?.isCurrent ?? false).toBe(false)
  expect(await told()).toEqual([])
  node.areWordsThere = true
  await pass(3_000)
  expect(await followed()).toMatchObject({ block: 101, isCurrent: true })
  expect(await told()).toMatchObject([{ kind: 'condition', block: { number: 101 } }])
})
