import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SOLANA_ID } from '../../src/chains/chain-id.js'
import { createManualClock, createSystemClock } from '../../src/clock.js'
import { addressFor } from '../../src/devnet/solana/scene.js'
import { type SolanaDevnet, startSolanaDevnet } from '../../src/devnet/solana/start-solana-devnet.js'
import { createCreationBlocks } from '../../src/feed/creation-blocks.js'
import type { CreationSource } from '../../src/feed/creation-source.js'
import { createCreationTrail } from '../../src/feed/creation-trail.js'
import { createListingFollower } from '../../src/feed/follow-listings.js'
import { createSolanaMarkets } from '../../src/feed/solana-markets.js'
import { createSqlFeedStore } from '../../src/feed/sql-feed-store.js'
import { addressBytes } from '../../src/solana/address.js'
import { CREATION_ACCOUNTS } from '../../src/solana/pools/new-pools.js'
import { layoutOf } from '../../src/solana/pools/sample-pool.conformance.js'
import { createSolanaRpc, type SolanaRpc } from '../../src/solana/rpc/solana-rpc-client.js'
import { type Db, openDatabase } from '../../src/stores/database.js'
import { type Fault, type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { creationAccountOf, type LaunchOrder, launchInPool, launchOnPump } from './solana-launches.js'

let devnet: SolanaDevnet
let proxy: FaultProxy
let rpc: SolanaRpc
let db: Db
let folder: string
let names = 0
/** How long a node that failed is left alone is passed over, and not waited for. */
let skippedMs = 0
const system = createSystemClock()
const nodeClock = { now: system.now, monotonic: () => system.monotonic() + skippedMs }
beforeAll(async () => {
  devnet = await startSolanaDevnet({ examples: [] })
  proxy = await startFaultProxy(devnet.url)
})
afterAll(async () => {
  await proxy.close()
  await devnet.stop()
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-followers-'))
  db = await openDatabase({ dataDir: folder, databaseUrl: undefined })
  rpc = createSolanaRpc({ urls: [proxy.url], clock: nodeClock })
})
afterEach(async () => {
  proxy.inject()
  await rpc.close()
  await db.destroy()
  rmSync(folder, { recursive: true, force: true })
})

const launch = (order: LaunchOrder = {}) => {
  names += 1
  return launchInPool(devnet.chain, `followed ${names}`, order)
}

/** Followers of one database, each with what it remembers of its own. */
function setUp() {
  const store = createSqlFeedStore(db)
  const clock = createManualClock()
  const findFamiliar = async () => new Set<never>()
  const follow = (holder: string, creations: CreationSource = createCreationTrail(rpc)) => {
    const markets = createSolanaMarkets(rpc, creations)
    return createListingFollower({ chainId: SOLANA_ID, markets, store, holder, clock, findFamiliar })
  }
  const tokens = async () => (await store.listNewest({}, 100)).map(({ token }) => token)
  return { store, clock, follow, tokens }
}

const passSlot = () => devnet.chain.nextSlot()

test('where one process dies another goes on, and nothing is told twice', async () => {
  const { store, clock, follow, tokens } = setUp()
  const [one, two] = [follow('one'), follow('two')]
  await one.look()
  passSlot()
  const made = [launch(), launch()]
  passSlot()
  await one.look()
  await two.look()
  expect(await tokens()).toHaveLength(2)
  const place = await store.newestPlace()
  // What the first has seen stands in slots that the second looks at once more.
  made.push(launch())
  passSlot()
  clock.advance(10_000)
  await two.look()
  expect((await tokens()).sort()).toEqual(made.map(({ mint }) => mint).sort())
  const changes = await store.listChanges({}, { after: place, limit: 100 })
  expect(changes).toHaveLength(1)
  await one.look()
  expect(await tokens()).toHaveLength(3)
})

/** What a node says, with something else in the place of one method's result. */
const lie = (method: string, change: (result: unknown) => unknown): Fault => ({
  name: `lies about ${method}`,
  method,
  answer: (honest) => ({ ...honest, result: change(honest.result) }),
})
const inObject = (change: (value: Record<string, unknown>) => object) => (result: unknown) =>
  typeof result === 'object' && result !== null ? { ...result, ...change(result as Record<string, unknown>) } : result

test.each<[string, Fault]>([
  ['forgets transactions', lie('getTransaction', () => null)],
  [
    'gives another transaction',
    lie(
      'getTransaction',
      inObject(() => ({ slot: 1 })),
    ),
  ],
  [
    'gives balances of fewer accounts',
    lie(
      'getTransaction',
      inObject(() => ({ meta: { err: null, preBalances: [], postBalances: [] } })),
    ),
  ],
  [
    'says that all of them failed',
    lie(
      'getTransaction',
      inObject(({ meta }) => ({ meta: { ...(meta as object), err: {} } })),
    ),
  ],
  [
    'gives no accounts',
    lie(
      'getMultipleAccounts',
      inObject(({ value }) => ({ value: (value as []).map(() => null) })),
    ),
  ],
  ['gives what is no list', lie('getSignaturesForAddress', () => ({}))],
  [
    'gives signatures that are none',
    lie('getSignaturesForAddress', () => [{ signature: '<script>', slot: 1, err: null }]),
  ],
])('a node that %s makes no listing, and one that is honest again does', async (_, fault) => {
  const { follow, tokens } = setUp()
  const follower = follow('one')
  await follower.look()
  passSlot()
  const { mint } = launch()
  proxy.inject(fault)
  passSlot()
  await follower.look().catch(() => {})
  expect(await tokens()).toEqual([])
  proxy.inject()
  const later = launch()
  passSlot()
  // A node that failed is left alone for a moment.
  for (let tries = 0; tries < 20 && (await tokens()).length === 0; tries += 1) {
    skippedMs += 300
    await follower.look().catch(() => {})
  }
  expect(await tokens()).toContain(later.mint)
  expect([mint, later.mint]).toEqual(expect.arrayContaining(await tokens()))
})

test.each(['getMultipleAccounts', 'getTransaction', 'getSignaturesForAddress'])(
  'what was made while a node failed at %s is told once it does not',
  async (method) => {
    const { follow, tokens } = setUp()
    const follower = follow('one')
    await follower.look()
    passSlot()
    const { mint } = launch()
    const error = { code: -32_005, message: 'Node is behind' }
    proxy.inject({ name: 'fails', method, answer: ({ id }) => ({ jsonrpc: '2.0', id, error }) })
    passSlot()
    await follower.look().catch(() => {})
    expect(await tokens()).toEqual([])
    proxy.inject()
    for (let tries = 0; tries < 20 && (await tokens()).length === 0; tries += 1) {
      skippedMs += 300
      passSlot()
      await follower.look().catch(() => {})
    }
    expect(await tokens()).toEqual([mint])
  },
)

test('a node that names a thousand transactions which are none costs one look, and is said', async () => {
  const { store, follow, tokens } = setUp()
  const follower = follow('one')
  await follower.look()
  const slot = Number(devnet.chain.clock.slot)
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const name = (i: number) => `${digits[i % 58]}${digits[Math.floor(i / 58) % 58]}${'1'.repeat(86)}`
  const made = Array.from({ length: 1_000 }, (_, i) => ({
    signature: name(i),
    slot: slot + 1,
    err: null,
    blockTime: 1,
  }))
  proxy.inject(lie('getSignaturesForAddress', () => made))
  proxy.reset()
  passSlot()
  await follower.look()
  expect(proxy.seen.calls.filter(({ method }) => method === 'getTransaction').length).toBeLessThanOrEqual(48)
  expect(await tokens()).toEqual([])
  const [omission] = await store.listOmissions({}, 10)
  expect(omission).toMatchObject({ chainId: SOLANA_ID, listings: undefined })
})

test('naming what makers of pools name makes no listing of what was there before', async () => {
  const { follow, tokens } = setUp()
  const follower = follow('one')
  const old = launch()
  passSlot()
  await follower.look()
  for (let i = 0; i < 40; i += 1) passSlot()
  await follower.look()
  devnet.chain.record([addressFor('liar'), old.pool, old.mint, creationAccountOf('Raydium CPMM')], false)
  passSlot()
  await follower.look()
  expect(await tokens()).toEqual([])
})

describe('a transaction that makes a pool', () => {
  const passSlots = (count: number) => {
    for (let i = 0; i < count; i += 1) passSlot()
  }

  test('is told where the node lists it forty slots late', async () => {
    const { follow, tokens } = setUp()
    const follower = follow('one')
    await follower.look()
    passSlot()
    const { mint } = launch()
    proxy.inject(lie('getSignaturesForAddress', () => []))
    for (let i = 0; i < 4; i += 1) {
      passSlots(10)
      await follower.look()
    }
    expect(await tokens()).toEqual([])
    proxy.inject()
    passSlot()
    await follower.look()
    expect(await tokens()).toEqual([mint])
  })

  test('is told where the node gets it forty slots late, and said to be left out where that lasts', async () => {
    const { store, follow, tokens } = setUp()
    const follower = follow('one')
    await follower.look()
    passSlot()
    const late = launch()
    proxy.inject(lie('getTransaction', () => null))
    for (let i = 0; i < 4; i += 1) {
      passSlots(10)
      await follower.look()
    }
    proxy.inject()
    passSlot()
    await follower.look()
    expect(await tokens()).toEqual([late.mint])
    expect(await store.listOmissions({}, 10)).toEqual([])
    launch()
    proxy.inject(lie('getTransaction', () => null))
    for (let i = 0; i < 5; i += 1) {
      passSlots(40)
      await follower.look()
    }
    expect(await store.listOmissions({}, 10)).toMatchObject([{ chainId: SOLANA_ID, listings: 1 }])
    proxy.inject()
    passSlots(40)
    await follower.look()
    expect(await store.listOmissions({}, 10)).toHaveLength(1)
  })

  test('is told where the node that lists them is behind the one that told the newest slot', async () => {
    const { follow, tokens } = setUp()
    const follower = follow('one')
    await follower.look()
    const behind = Number(devnet.chain.clock.slot) + 5
    passSlots(100)
    const { mint } = launch()
    passSlots(200)
    const error = { code: -32_016, message: 'Minimum context slot has not been reached' }
    proxy.inject({
      name: 'is behind',
      method: 'getSignaturesForAddress',
      answer: (honest, { id, params }) =>
        ((params[1] as { minContextSlot?: number }).minContextSlot ?? 0) > behind
          ? { jsonrpc: '2.0', id, error }
          : { ...honest, result: [] },
    })
    await follower.look().catch(() => {})
    proxy.inject()
    for (let tries = 0; tries < 20 && (await tokens()).length === 0; tries += 1) {
      skippedMs += 300
      passSlots(10)
      await follower.look().catch(() => {})
    }
    expect(await tokens()).toEqual([mint])
  })

  test('is told where coins were sent to the pool before, and not where an old pool gets a further account', async () => {
    const { chain } = devnet
    const { follow, tokens } = setUp()
    const follower = follow('one')
    const old = launch()
    passSlot()
    await follower.look()
    passSlot()
    const { mint } = launch({ isFunded: true })
    const further = addressFor('further account of an old pool')
    const vault = chain.get(addressFor(`vault of followed ${names - 1}`, 'program'))
    if (vault === undefined) throw new Error('no vault')
    chain.set(further, vault)
    const named = [addressFor('liar'), old.pool, old.mint, creationAccountOf('Raydium CPMM'), further]
    chain.record([...named, layoutOf('raydium-cpmm').program], false, [further])
    passSlot()
    await follower.look()
    expect(await tokens()).toEqual([mint])
  })
})

test('the addresses that lead to pools after a curve of Meteora are those that it publishes', () => {
  const addresses = CREATION_ACCOUNTS.filter(({ name }) => name === 'Meteora DAMM v2').map(({ address }) => address)
  // MeteoraAg/dynamic-bonding-curve-sdk, DAMM_V2_MIGRATION_FEE_ADDRESS.
  expect(addresses).toEqual([
    '7F6dnUcRuyM2TwR8myT1dYypFXpPSxqwKNSFNkxyNESd',
    '2nHK1kju6XjphBLbNxpM5XRGFj7p9U8vvNzyZiha1z6k',
    'Hv8Lmzmnju6m7kcokVKvwqz7QPmdX9XfKjJsXz8RXcjp',
    '2c4cYd4reUYVRAB9kUUkrq55VPyy2FNQ3FDL4o12JXmq',
    'AkmQWebAwFvWk55wBoCr5D62C6VVDTzi84NJuD9H7cFD',
    'DbCRBj8McvPYHJG1ukj8RE15h2dCNUdTAESG49XpQ44u',
    'A8gMrEPJkacWkcb3DGwtJwTe16HktSEfvwtuDh2MCtck',
  ])
})

test('a pool of DAMM v2 that a curve opens is told by its trail, and one of another exchange is not', async () => {
  const { follow, tokens } = setUp()
  const follower = follow('one')
  await follower.look()
  passSlot()
  const { mint } = launch({ venue: 'meteora-damm-v2' })
  launch({ venue: 'meteora-dlmm' })
  passSlot()
  await follower.look()
  expect(await tokens()).toEqual([mint])
})

test('a node that keeps a slot no more takes nothing of it back', async () => {
  const { store, follow, tokens } = setUp()
  const follower = follow('one')
  await follower.look()
  passSlot()
  const { mint } = launch()
  await follower.look()
  expect(await tokens()).toEqual([mint])
  for (let i = 0; i < 600; i += 1) passSlot()
  const error = { code: -32_001, message: 'Block cleaned up, does not exist on node' }
  proxy.inject(
    lie('getBlocks', () => []),
    { name: 'keeps none', method: 'getBlock', answer: ({ id }) => ({ jsonrpc: '2.0', id, error }) },
  )
  await follower.look()
  expect(await tokens()).toEqual([mint])
  expect(await store.listOmissions({}, 10)).toEqual([])
})

describe('by whole blocks', () => {
  const VENUES = ['raydium-clmm', 'meteora-damm-v2', 'meteora-dlmm', 'raydium-cpmm', 'orca-whirlpool'] as const

  test.each(VENUES)('a pool of %s is told, whatever its transaction names, and a trade in it is not', async (venue) => {
    const { chain } = devnet
    const { store, follow } = setUp()
    const follower = follow('one', createCreationBlocks(rpc))
    await follower.look()
    passSlot()
    const { mint, pool, signature } = launch({ venue })
    passSlot()
    await follower.look()
    const trader = addressFor(`trader on ${venue}`)
    const held = addressFor(`what the trader on ${venue} got`)
    const vault = chain.get(addressFor(`vault of followed ${names}`, 'program'))
    if (vault === undefined) throw new Error('no vault')
    const data = Uint8Array.from(vault.data)
    data.set(addressBytes(trader), 32)
    chain.set(held, { ...vault, data })
    chain.record([trader, pool, mint, held, layoutOf(venue).program], false, [held])
    passSlot()
    const place = await store.newestPlace()
    await follower.look()
    expect(await store.listNewest({}, 10)).toMatchObject([
      { token: mint, pool, transaction: signature, exchange: layoutOf(venue).name },
    ])
    expect(await store.newestPlace()).toBe(place)
  })

  test('a curve of pump.fun is told, and what was made in many blocks is told in turn', async () => {
    const { follow, tokens } = setUp()
    const follower = follow('one', createCreationBlocks(rpc))
    await follower.look()
    const made: string[] = []
    for (let i = 0; i < 20; i += 1) {
      passSlot()
      names += 1
      made.push(launchOnPump(devnet.chain, `followed ${names}`).mint)
    }
    passSlot()
    for (let i = 0; i < 3; i += 1) await follower.look()
    expect((await tokens()).sort()).toEqual(made.sort())
  })

  test.each<[string, Fault]>([
    ['leaves out a block', lie('getBlocks', (slots) => (slots as number[]).filter((_, i) => i !== 1))],
    [
      'tells of another block',
      lie(
        'getBlock',
        inObject(({ blockhash, transactions }) =>
          transactions ? { blockhash: `${blockhash}`.replace(/.$/, '2') } : {},
        ),
      ),
    ],
    [
      'has not got a block yet',
      {
        name: 'has not got it',
        method: 'getBlock',
        answer: ({ id }, { params }) => {
          const error = { code: -32_004, message: 'Block not available for slot' }
          return { jsonrpc: '2.0', id, error, asked: params.length }
        },
      },
    ],
  ])('what was made while a node %s is told once it does not', async (_, fault) => {
    const { follow, tokens } = setUp()
    const follower = follow('one', createCreationBlocks(rpc))
    await follower.look()
    passSlot()
    const made = [launch({ venue: 'meteora-dlmm' }).mint]
    passSlot()
    made.push(launch({ venue: 'raydium-clmm' }).mint)
    passSlot()
    made.push(launch().mint)
    proxy.inject(fault)
    await follower.look().catch(() => {})
    expect(await tokens()).toEqual([])
    proxy.inject()
    for (let tries = 0; tries < 20 && (await tokens()).length < made.length; tries += 1) {
      skippedMs += 300
      passSlot()
      await follower.look().catch(() => {})
    }
    expect((await tokens()).sort()).toEqual(made.sort())
  })

  test('a node that has none of the slots any more has what it passes over said', async () => {
    const { store, follow } = setUp()
    const follower = follow('one', createCreationBlocks(rpc))
    await follower.look()
    const from = Number(devnet.chain.clock.slot)
    passSlot()
    launch()
    passSlot()
    proxy.inject(lie('getBlocks', () => []))
    await follower.look()
    proxy.inject()
    expect(await store.listOmissions({}, 10)).toMatchObject([
      { fromBlock: BigInt(from), toBlock: BigInt(from + 2), listings: undefined },
    ])
  })

  test('a slot that was undone is taken back, and the blocks after it follow', async () => {
    const { follow, tokens } = setUp()
    const follower = follow('one', createCreationBlocks(rpc))
    await follower.look()
    passSlot()
    launch({ venue: 'meteora-dlmm' })
    passSlot()
    await follower.look()
    expect(await tokens()).toHaveLength(1)
    devnet.chain.undo(2)
    await follower.look()
    expect(await tokens()).toEqual([])
    const { mint } = launch({ venue: 'meteora-dlmm' })
    passSlot()
    await follower.look()
    await follower.look()
    expect(await tokens()).toEqual([mint])
  })
})
