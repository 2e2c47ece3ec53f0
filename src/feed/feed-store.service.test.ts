import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { ethereum } from '../chains/ethereum.js'
import { createManualClock } from '../clock.js'
import { type Address, type Hex, toPaddedHex } from '../hex.js'
import type { RpcRequest } from '../rpc/request.js'
import type { RpcClient, RpcPlan } from '../rpc/rpc-client.js'
import { type Db, openDatabase } from '../stores/database.js'
import type { Judgement } from '../watching/watch.js'
import { createEvmMarkets } from './evm-markets.js'
import { createListingFollower } from './follow-listings.js'
import type { FindFamiliar } from './market-source.js'
import { KEPT_MS, MAX_KEPT, MAX_LISTED_AT_ONCE, MAX_WAITING } from './new-listing.js'
import { createSqlFeedStore } from './sql-feed-store.js'

const CHAIN = ethereum.id
const FACTORY = ethereum.v2[0]?.factory as Address
const PAIR_CREATED: Hex = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9'
const MINT: Hex = '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f'
const tokenOf = (n: number): Address => toPaddedHex(0x70_0000n + BigInt(n), 20)
const pairOf = (n: number): Address => toPaddedHex(0x90_0000n + BigInt(n), 20)
const word = (address: Address) => address.slice(2).padStart(64, '0')

interface MadeUpLog {
  address: Address
  topics: Hex[]
  data: Hex
  /** Number of its transaction. */
  by: number
}

const creation = (n: number, by = n, address = FACTORY): MadeUpLog => ({
  ...{ address, by, data: `0x${word(pairOf(n))}${''.padStart(64, '0')}` },
  topics: [PAIR_CREATED, `0x${word(tokenOf(n))}`, `0x${word(ethereum.wrappedNative)}`],
})
const mint = (n: number): MadeUpLog => ({ address: pairOf(n), topics: [MINT], data: '0x', by: n })

/** A chain of blocks that tests write, told as a node tells it. */
function createMadeUpChain() {
  const blocks: { hash: Hex; logs: MadeUpLog[] }[] = []
  let salt = 0
  let isSilent = false
  const mine = (logs: MadeUpLog[] = []) => {
    salt += 1
    blocks.push({ hash: toPaddedHex((BigInt(blocks.length) << 64n) + BigInt(salt), 32), logs })
  }
  mine()
  const headerOf = (number: number) => {
    const block = blocks[number]
    return block && { number: BigInt(number), hash: block.hash, timestamp: BigInt(1_000 + number * 12) }
  }
  const logsOf = (number: number, { address, topics }: { address: Address[]; topics: Hex[][] }) =>
    (blocks[number]?.logs ?? []).flatMap((log, i) =>
      address.includes(log.address) && topics[0]?.includes(log.topics[0] ?? '0x')
        ? [
            {
              ...{ address: log.address, topics: log.topics, data: log.data, blockHash: blocks[number]?.hash },
              ...{ blockNumber: `0x${number.toString(16)}`, logIndex: `0x${i.toString(16)}` },
              transactionHash: toPaddedHex(BigInt(number * 10_000 + log.by), 32),
            },
          ]
        : [],
    )
  const answer = ({ method, params, parse }: RpcRequest<unknown>): unknown => {
    const [first] = params as [string]
    if (method === 'eth_getBlockByNumber') return headerOf(first === 'latest' ? blocks.length - 1 : Number(first))
    if (method !== 'eth_getLogs' || isSilent) throw new Error('no answer')
    const filter = params[0] as unknown as { fromBlock: Hex; toBlock: Hex; address: Address[]; topics: Hex[][] }
    const numbers = blocks.map((_, i) => i).filter((i) => i >= Number(filter.fromBlock) && i <= Number(filter.toBlock))
    return parse(numbers.flatMap((number) => logsOf(number, filter)))
  }
  const outcomeOf = (request: RpcRequest<unknown>) => ({ ok: true, value: answer(request) })
  const rpc = {
    chainId: CHAIN,
    clock: createManualClock(),
    call: async (request: RpcRequest<unknown>) => answer(request),
    batch: async (requests: RpcRequest<unknown>[]) => requests.map(outcomeOf),
    run: async (makePlan: (node: { id: number }) => RpcPlan<unknown>) => {
      const { requests, read } = makePlan({ id: 0 })
      return read(requests.map(outcomeOf) as never)
    },
    createBudget: () => ({ remainingMs: () => 10_000, signal: new AbortController().signal }),
  } as unknown as RpcClient
  return {
    rpc,
    mine,
    head: () => headerOf(blocks.length - 1),
    setSilent: (is: boolean) => {
      isSilent = is
    },
    drop: (count: number) => void blocks.splice(blocks.length - count),
  }
}

const isKnown =
  (...known: Address[]): FindFamiliar =>
  async (tokens) =>
    new Set(tokens.filter((token) => known.some((each) => each === token)))

async function setUp(db: Db, findFamiliar = isKnown()) {
  for (const table of ['feed_chains', 'listings', 'feed_omissions'] as const) await db.deleteFrom(table).execute()
  const store = createSqlFeedStore(db)
  const clock = createManualClock()
  const chain = createMadeUpChain()
  const follow = (holder: string) =>
    createListingFollower({
      ...{ chainId: CHAIN, markets: createEvmMarkets({ chain: ethereum, rpc: chain.rpc }) },
      ...{ store, holder, clock, findFamiliar },
    })
  const follower = follow('one')
  // The feed begins here.
  await follower.look()
  const judgementAt = (number: bigint, hash: Hex): Judgement => ({
    ...{
      level: 'Low Risk',
      score: 10,
      advice: 'No trap found',
      headline: 'It is what it is.',
      isHoneypot: false,
      isWhole: true,
    },
    ...{ buyTaxBps: 0, sellTaxBps: 0, token: null, block: { number, hash } },
  })
  return {
    ...{ store, clock, chain, follow, follower },
    /** Mines a block with these logs, and looks at it. */
    async pass(logs: MadeUpLog[] = []) {
      chain.mine(logs)
      await follower.look()
    },
    /** Judges what is due, as of the head; the tokens, in turn. */
    async judge(coins = 1n) {
      const order: string[] = []
      for (;;) {
        const listing = await store.claimDue([CHAIN], { now: clock.now(), leaseMs: 60_000 })
        const head = chain.head()
        if (!listing || !head) return order
        order.push(listing.token)
        const liquidity = coins === 0n ? undefined : coins * 10n ** 18n
        await store.settle(listing, {
          judgement: judgementAt(head.number, head.hash),
          liquidity,
          judgedAt: clock.now(),
        })
      }
    },
    tokens: async (filter = {}) => (await store.listNewest(filter, 100)).map(({ token }) => token),
  }
}

const schemas = createTestSchemas('feed')
const dataDir = mkdtempSync(join(tmpdir(), 'assay-feed-'))
afterAll(async () => {
  await schemas.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe.each([
  ['SQLite', true, async () => openDatabase({ databaseUrl: undefined, dataDir })],
  ['PostgreSQL', await hasPostgres(), async () => openDatabase({ databaseUrl: await schemas.newUrl(), dataDir })],
] as const)('the feed in %s', (_name, isThere, open) => {
  describe.skipIf(!isThere)('follows a chain', () => {
    let db: Db
    beforeAll(async () => {
      db = await open()
    })
    afterAll(() => db?.destroy())

    test('tells new tokens of its exchanges, and not those that another contract tells of', async () => {
      const { pass, judge, store, tokens } = await setUp(db)
      await pass([creation(1), creation(2, 2, pairOf(7))])
      expect(await store.listNewest({}, 10)).toMatchObject([
        { token: tokenOf(1), pool: pairOf(1), quote: ethereum.wrappedNative, state: 'waiting', blockTime: 1_012_000 },
      ])
      await judge()
      expect(await tokens({ levels: ['Low Risk'], leastLiquidity: 10n ** 18n })).toEqual([tokenOf(1)])
      expect(await tokens({ levels: ['Safe'] })).toEqual([])
      expect(await tokens({ leastLiquidity: 10n ** 18n + 10n ** 9n })).toEqual([])
      expect(await tokens({ chainId: 56 })).toEqual([])
    })

    test('judges first what is like a token that was judged before, and then in turn', async () => {
      const { pass, judge } = await setUp(db, isKnown(tokenOf(3)))
      await pass([creation(1), creation(2), creation(3)])
      expect(await judge()).toEqual([tokenOf(3), tokenOf(1), tokenOf(2)])
    })

    test('lists few of a thousand pools of one block, says how many it left out, and no other is displaced', async () => {
      const { pass, store, tokens } = await setUp(db)
      await pass([...Array.from({ length: 1_000 }, (_, n) => creation(n, 1)), creation(2_000)])
      const listed = await tokens()
      expect(listed).toHaveLength(MAX_LISTED_AT_ONCE)
      expect(listed).toContain(tokenOf(2_000))
      expect(await store.listOmissions({}, 10)).toMatchObject([{ listings: 1_001 - MAX_LISTED_AT_ONCE, fromBlock: 1n }])
      for (let block = 1; block < 10; block += 1)
        await pass(Array.from({ length: 100 }, (_, n) => creation(10_000 * block + n)))
      expect(await store.countWaiting(CHAIN)).toBe(MAX_WAITING)
      expect((await store.listOmissions({}, 1))[0]).toMatchObject({ listings: 100 })
    })

    test('takes back what came in a block that is undone, and tells it again where it comes again', async () => {
      const { pass, judge, chain, follower, store, tokens } = await setUp(db)
      await pass([creation(1)])
      await pass([creation(2)])
      await judge()
      const place = await store.newestPlace()
      chain.drop(1)
      chain.mine()
      chain.mine()
      await follower.look()
      await follower.look()
      expect(await tokens()).toEqual([tokenOf(1)])
      const changes = await store.listChanges({}, { after: place, limit: 10 })
      expect(changes).toMatchObject([{ listing: { token: tokenOf(2), state: 'undone' } }])
      // Its verdict was made at a block that is gone.
      expect(await judge()).toEqual([tokenOf(1)])
      await pass([creation(2)])
      expect(await store.listNewest({}, 1)).toMatchObject([
        { token: tokenOf(2), state: 'waiting', judgement: undefined },
      ])
    })

    test('has a token judged again with the first liquidity of its pool, and not with more', async () => {
      const { pass, judge } = await setUp(db)
      await pass([creation(1)])
      // Nothing can be bought yet.
      await judge(0n)
      await pass([])
      expect(await judge()).toEqual([])
      await pass([mint(1)])
      expect(await judge()).toEqual([tokenOf(1)])
      await pass([mint(1)])
      expect(await judge()).toEqual([])
    })

    test('is not kept at work by crumbs of liquidity', async () => {
      const { pass, judge } = await setUp(db)
      await pass([creation(1)])
      let judgings = 0
      for (let block = 0; block < 20; block += 1) {
        judgings += (await judge(0n)).length
        await pass([mint(1)])
      }
      expect(judgings).toBe(5)
    })

    test('says which blocks it did not look at', async () => {
      const { pass, chain, clock, follower, store } = await setUp(db)
      chain.setSilent(true)
      chain.mine([creation(1)])
      await expect(follower.look()).rejects.toThrow()
      clock.advance(120_000)
      await follower.look().catch(() => {})
      chain.setSilent(false)
      await follower.look()
      await pass([creation(2)])
      expect(await store.listOmissions({}, 10)).toMatchObject([{ fromBlock: 1n, toBlock: 1n, listings: undefined }])
    })

    test('says how far it has come, and does not while nothing is told', async () => {
      const { pass, chain, clock, follower, store } = await setUp(db)
      await pass([])
      await follower.look()
      await follower.look()
      const before = await store.readFollowed(CHAIN)
      expect(before).toMatchObject({ block: { number: 1n }, reachedAt: clock.now() })
      chain.setSilent(true)
      chain.mine([creation(1)])
      clock.advance(10_000)
      for (let looks = 0; looks < 3; looks += 1) await follower.look().catch(() => {})
      expect(await store.readFollowed(CHAIN)).toEqual(before)
      chain.setSilent(false)
      for (let looks = 0; looks < 2; looks += 1) await follower.look()
      expect(await store.readFollowed(CHAIN)).toMatchObject({ block: { number: 2n }, reachedAt: clock.now() })
    })

    test('is taken over from a process that is silent, and from no other', async () => {
      const { chain, clock, follow, follower, tokens } = await setUp(db)
      const other = follow('two')
      chain.mine([creation(1)])
      await other.look()
      expect(await tokens()).toEqual([])
      clock.advance(10_000)
      await other.look()
      expect(await tokens()).toEqual([tokenOf(1)])
      chain.mine([creation(2)])
      await follower.look()
      expect(await tokens()).toEqual([tokenOf(1)])
    })

    test('keeps so many, and so long', async () => {
      const { pass, clock, store, tokens } = await setUp(db)
      await pass([creation(1)])
      const row = await db.selectFrom('listings').selectAll().executeTakeFirstOrThrow()
      const many = Array.from({ length: MAX_KEPT }, (_, n) => ({ ...row, id: `l${n}`, found_at: row.found_at + 1 }))
      for (let at = 0; at < many.length; at += 500)
        await db
          .insertInto('listings')
          .values(many.slice(at, at + 500))
          .execute()
      await store.forgetOld([CHAIN], clock.now())
      expect(await tokens()).toHaveLength(100)
      expect(await db.selectFrom('listings').select('id').where('id', '=', row.id).execute()).toEqual([])
      for (let round = 0; round < 11; round += 1) await store.forgetOld([CHAIN], clock.now() + KEPT_MS + 2)
      expect(await tokens()).toEqual([])
    })
  })
})
