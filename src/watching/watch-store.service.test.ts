import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { SOLANA_ID } from '../chains/chain-id.js'
import { createManualClock } from '../clock.js'
import { type Address, type Hex, toPaddedHex } from '../hex.js'
import type { VerdictDependencies } from '../reports/dependencies.js'
import type { BlockHeader } from '../rpc/block-header.js'
import type { RpcRequest } from '../rpc/request.js'
import { createSeededRandom } from '../simulation/random.js'
import type { TokenAddress } from '../solana/token-address.js'
import { type Db, openDatabase } from '../stores/database.js'
import { createEvmChain, type EvmChainOptions } from './evm-chain.js'
import { createChainFollower, FLAPPING_AGAIN_MS, LEASE_MS, LONGEST_STEP_MS } from './follow-chain.js'
import { createSqlWatchStore } from './sql-watch-store.js'
import { alertsOf, eventsOfVerdict } from './tell-changes.js'
import { ALERT_KEPT_MS, ALERT_KINDS, type Judgement, WATCH_MS, type Watch } from './watch.js'
import { STALE_MS, type WatchStore } from './watch-store.js'

const CHAIN = 1
const tokenOf = (n: number): Address => toPaddedHex(0x70_0000n + BigInt(n), 20)
const SWITCH = 5n
const BALANCE = 9n
const OWNER = 11n
const HOLDER = BigInt(`0x${'d4'.repeat(20)}`)

/** A chain of blocks that tests write, told as a tracing node tells it. */
function createMadeUpChain() {
  interface Block {
    header: BlockHeader
    writes: readonly { address: Address; slot: bigint; value: bigint }[]
  }
  let salt = 0
  let traceFailures = 0
  let areWordsReadable = true
  const blocks: Block[] = []
  const hashOf = (number: number) => toPaddedHex((BigInt(number) << 64n) + BigInt(salt), 32)
  const mine = (writes: Block['writes'] = []) => {
    salt += 1
    const number = blocks.length
    const parentHash = blocks.at(-1)?.header.hash ?? toPaddedHex(0n, 32)
    blocks.push({ header: { number: BigInt(number), hash: hashOf(number), parentHash } as BlockHeader, writes })
  }
  mine()
  const answer = ({ method, params }: RpcRequest<unknown>): unknown => {
    const [first] = params as [string]
    if (method === 'eth_getBlockByNumber')
      return first === 'latest' ? blocks.at(-1)?.header : blocks[Number(first)]?.header
    if (traceFailures > 0) {
      traceFailures -= 1
      throw new Error('the answer is too long')
    }
    const block = blocks.find(({ header }) => header.hash === first)
    if (!block) throw new Error('unknown block')
    const words = new Map<Address, Map<bigint, { value: bigint; transaction: Hex }>>()
    block.writes.forEach(({ address, slot, value }, i) => {
      const slots = words.get(address) ?? new Map()
      words.set(address, slots.set(slot, { value, transaction: toPaddedHex(BigInt(i + 1), 32) }))
    })
    return { words, codes: new Map() }
  }
  const rpc = { call: async <T>(request: RpcRequest<T>) => answer(request) as T } as EvmChainOptions['rpc']
  return {
    rpc,
    mine,
    head: () => blocks.at(-1)?.header as BlockHeader,
    /** The next traces fail, and so do other reads where nothing answers. */
    fail(traces: number, alsoWords = false) {
      traceFailures = traces
      areWordsReadable = !alsoWords
    },
    areWordsReadable: () => areWordsReadable,
    /** Takes the last blocks away, as a reorganisation does. */
    drop: (count: number) => void blocks.splice(blocks.length - count),
    /** What a word holds after a block; after the newest one where none is named. */
    word(address: TokenAddress, slot: bigint, number = BigInt(blocks.length)) {
      const writes = blocks.slice(0, Number(number) + 1).flatMap((block) => block.writes)
      return (
        writes.findLast((write) => write.address === address && write.slot === slot)?.value ??
        (slot === OWNER ? HOLDER : 0n)
      )
    },
  }
}

type MadeUpChain = ReturnType<typeof createMadeUpChain>

const judgementAt = ({ number, hash }: BlockHeader, score = 10): Judgement => ({
  ...{ level: score > 90 ? 'Critical Risk' : 'Low Risk', score, headline: 'It is what it is.', token: null },
  advice: score > 90 ? 'Do not buy' : 'No trap found',
  ...{ buyTaxBps: 0, sellTaxBps: 0, isHoneypot: false, isWhole: true, block: { number, hash } },
})

function standsOn(chain: MadeUpChain, address: TokenAddress): VerdictDependencies {
  return {
    words: [
      { address, slot: SWITCH, value: chain.word(address, SWITCH), role: 'decides' },
      { address, slot: BALANCE, value: chain.word(address, BALANCE), role: 'moves' },
      { address, slot: OWNER, value: chain.word(address, OWNER), role: 'guards' },
    ],
    ...{ codes: [], isTruncated: false, nextChange: undefined },
  }
}

function watchOn(address: Address, fields: Partial<Watch> = {}): Watch {
  return {
    id: `watch_${address.slice(-8)}`,
    ...{ keyId: 'key_a', chainId: CHAIN, address, tells: ALERT_KINDS, webhook: undefined, contacts: [] },
    ...{ createdAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
    ...fields,
  }
}

const SHARES = { ofKey: 100, ofChain: 100 }

async function setUp(db: Db) {
  for (const table of ['watches', 'watched_tokens', 'watch_chains', 'alerts'] as const)
    await db.deleteFrom(table).execute()
  const store = createSqlWatchStore(db)
  const clock = createManualClock()
  const chain = createMadeUpChain()
  const follow = (holder: string, over: WatchStore = store) =>
    createChainFollower({
      ...{ chainId: CHAIN, store: over, holder, clock },
      chain: createEvmChain({
        rpc: chain.rpc,
        readWords: async ({ number }, words) => {
          if (!chain.areWordsReadable()) throw new Error('no node answers')
          const found = new Map<TokenAddress, Map<bigint, { value: bigint; transaction: undefined }>>()
          for (const { address, slot } of words) {
            const slots = found.get(address) ?? new Map()
            found.set(address, slots.set(slot, { value: chain.word(address, slot, number), transaction: undefined }))
          }
          return found
        },
      }),
    })
  /** Judges all that is due, as of the head. */
  const judge = async () => {
    for (;;) {
      const token = await store.claimDue([CHAIN], { now: clock.now(), leaseMs: 60_000 })
      if (!token) return
      const head = chain.head()
      const judgement = judgementAt(head, chain.word(token.address, SWITCH) === 0n ? 10 : 95)
      const events = eventsOfVerdict(token.judgement, judgement, token.version + 1)
      const alerts = alertsOf(
        await store.listOn(CHAIN, [token.address], clock.now()),
        token.address,
        events,
        clock.now(),
      )
      const dependencies = standsOn(chain, token.address)
      const dueAt = clock.now() + 86_400_000
      await store.settle({ token, judgement, dependencies, judgedAt: clock.now(), dueAt, alerts })
      clock.advance(1)
    }
  }
  const told = async () =>
    (await store.listAlerts('key_a', { after: 0, limit: 10_000 })).map(({ kind, address, origin, after }) => {
      return { kind, address, block: origin?.block.number, level: after?.level }
    })
  return { store, clock, chain, follow, judge, told }
}

function suite(open: () => Promise<Db>) {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.destroy())

  test('a change of what decides is told once, with its block; what trades change is not', async () => {
    const { store, chain, follow, judge, told, clock } = await setUp(db)
    const [token, other] = [tokenOf(1), tokenOf(2)]
    for (const each of [token, other]) await store.add(watchOn(each), SHARES)
    await judge()
    const follower = follow('one')
    await follower.look()
    chain.mine([{ address: token, slot: SWITCH, value: 1n }])
    chain.mine([
      { address: other, slot: BALANCE, value: 7n },
      { address: other, slot: 77n, value: 1n },
    ])
    await follower.look()
    await follower.look()
    expect(await told()).toEqual([{ kind: 'condition', address: token, block: 1n, level: undefined }])
    clock.advance(1)
    await judge()
    expect((await told()).slice(1)).toEqual([
      { kind: 'level', address: token, block: undefined, level: 'Critical Risk' },
    ])
    expect((await store.readToken(CHAIN, other))?.version).toBe(1)
  })

  test('what changed between a verdict and the first look at its words is told', async () => {
    const { store, chain, follow, judge, told } = await setUp(db)
    const follower = follow('one')
    await store.add(watchOn(tokenOf(1)), SHARES)
    await follower.look()
    await judge()
    chain.mine()
    await follower.look()
    await store.add(watchOn(tokenOf(2)), SHARES)
    await judge()
    // Between the verdict and the process's own look, another process has gone through a block.
    chain.mine([{ address: tokenOf(2), slot: SWITCH, value: 1n }])
    const place = await store.holdChain(CHAIN, 'one', { now: 0, leaseMs: 0 })
    const { number, hash } = chain.head()
    await store.advance({
      ...{ chainId: CHAIN, holder: 'one', before: place ?? [], after: [...(place ?? []), { number, hash }] },
      ...{ due: [], alerts: [] },
    })
    chain.mine()
    await follower.look()
    expect(await told()).toMatchObject([{ kind: 'condition', address: tokenOf(2) }])
  })

  test('what changed between a verdict and the first look of all is told though no further block comes', async () => {
    const { store, chain, follow, judge, told } = await setUp(db)
    for (const each of [tokenOf(1), tokenOf(2)]) await store.add(watchOn(each), SHARES)
    await judge()
    chain.mine([{ address: tokenOf(1), slot: SWITCH, value: 1n }])
    const follower = follow('one')
    for (let looks = 0; looks < 3; looks += 1) await follower.look()
    expect(await told()).toMatchObject([{ kind: 'condition', address: tokenOf(1) }])
  })

  test('what changed while a verdict was being made is told though no further block comes', async () => {
    const { store, chain, follow, judge, told, clock } = await setUp(db)
    await store.add(watchOn(tokenOf(1)), SHARES)
    const follower = follow('one')
    await judge()
    await follower.look()
    await store.add(watchOn(tokenOf(2)), SHARES)
    const claimed = await store.claimDue([CHAIN], { now: clock.now(), leaseMs: 60_000 })
    if (!claimed) throw new Error('what was ordered is not due')
    const [judgement, dependencies] = [judgementAt(chain.head()), standsOn(chain, tokenOf(2))]
    chain.mine([{ address: tokenOf(2), slot: SWITCH, value: 1n }])
    await follower.look()
    expect(await told()).toEqual([])
    const times = { judgedAt: clock.now() + 1, dueAt: clock.now() + 86_400_000 }
    await store.settle({ token: claimed, judgement, dependencies, ...times, alerts: [] })
    for (let looks = 0; looks < 3; looks += 1) await follower.look()
    expect(await told()).toEqual([{ kind: 'condition', address: tokenOf(2), block: 1n, level: undefined }])
  })

  test('what changed while its verdict was being made is told with its own block and transaction', async () => {
    const { store, chain, follow, clock, told } = await setUp(db)
    const [token, first] = [tokenOf(1), tokenOf(2)]
    await store.add(watchOn(first), SHARES)
    const follower = follow('one')
    await follower.look()
    await store.add(watchOn(token), SHARES)
    const claimed = await store.claimDue([CHAIN], { now: clock.now(), leaseMs: 60_000 })
    const other = await store.claimDue([CHAIN], { now: clock.now(), leaseMs: 60_000 })
    const judgement = judgementAt(chain.head())
    const dependencies = standsOn(chain, token)
    chain.mine()
    chain.mine([{ address: token, slot: SWITCH, value: 1n }])
    chain.mine()
    await follower.look()
    for (const each of [claimed, other])
      if (each?.address === token)
        await store.settle({
          ...{ token: each, judgement, dependencies, alerts: [] },
          ...{ judgedAt: clock.now() + 1, dueAt: clock.now() + 86_400_000 },
        })
    chain.mine()
    await follower.look()
    expect(await told()).toEqual([{ kind: 'condition', address: token, block: 2n, level: undefined }])
    const [alert] = await store.listAlerts('key_a', { after: 0, limit: 10 })
    expect(alert?.origin?.transaction).toBe(toPaddedHex(1n, 32))
  })

  test('on a chain that was begun anew, a token is judged once more and not all the time', async () => {
    const { store, chain, follow, clock } = await setUp(db)
    const token = tokenOf(1)
    await store.add(watchOn(token), SHARES)
    const judgeOnce = async () => {
      const claimed = await store.claimDue([CHAIN], { now: clock.now(), leaseMs: 60_000 })
      if (!claimed) return false
      const judgement = judgementAt(chain.head())
      const dependencies = standsOn(chain, token)
      const times = { judgedAt: clock.now(), dueAt: clock.now() + 86_400_000 }
      return store.settle({ token: claimed, judgement, dependencies, ...times, alerts: [] })
    }
    await judgeOnce()
    const follower = follow('one')
    await follower.look()
    for (let n = 0; n < 30; n += 1) chain.mine(n === 25 ? [{ address: token, slot: SWITCH, value: 1n }] : [])
    for (let looks = 0; looks < 3; looks += 1) await follower.look()
    await follower.release()
    // Another chain stands at the same place, far behind the block of the last change.
    chain.drop(31)
    for (let n = 0; n < 3; n += 1) chain.mine()
    clock.advance(1)
    // Until it is noticed, a verdict that is older than the change waits for its next turn.
    expect([await judgeOnce(), await judgeOnce()]).toEqual([true, false])
    clock.advance(STALE_MS)
    expect(await judgeOnce()).toBe(true)
    const next = follow('two')
    for (let looks = 0; looks < 3; looks += 1) await next.look()
    clock.advance(STALE_MS)
    expect(await judgeOnce()).toBe(true)
    clock.advance(60 * STALE_MS)
    expect(await judgeOnce()).toBe(false)
  })

  test('a block whose changes cannot be told is read word by word, and waits where no node answers', async () => {
    const { store, chain, follow, judge, told } = await setUp(db)
    await store.add(watchOn(tokenOf(1)), SHARES)
    await judge()
    const follower = follow('one')
    await follower.look()
    chain.mine([{ address: tokenOf(1), slot: SWITCH, value: 1n }])
    chain.fail(1, true)
    await expect(follower.look()).rejects.toThrow('no node answers')
    expect(await told()).toEqual([])
    chain.fail(1)
    await follower.look()
    expect(await told()).toMatchObject([{ kind: 'condition', address: tokenOf(1), block: 1n }])
  })

  test('after a reorganisation, what the lost blocks changed is judged again', async () => {
    const { store, chain, follow, judge, told, clock } = await setUp(db)
    const token = tokenOf(1)
    await store.add(watchOn(token), SHARES)
    await judge()
    const follower = follow('one')
    await follower.look()
    chain.mine()
    chain.mine([{ address: token, slot: SWITCH, value: 1n }])
    await follower.look()
    await judge()
    expect((await store.readToken(CHAIN, token))?.judgement?.level).toBe('Critical Risk')
    chain.drop(1)
    chain.mine()
    chain.mine()
    clock.advance(1)
    await follower.look()
    await judge()
    expect((await store.readToken(CHAIN, token))?.judgement?.level).toBe('Low Risk')
    expect((await told()).map(({ kind, level }) => level ?? kind)).toEqual(['condition', 'Critical Risk', 'Low Risk'])
  })

  test('missed blocks are gone through, and where there are too many every token is judged again', async () => {
    const { store, chain, follow, judge, told } = await setUp(db)
    const token = tokenOf(1)
    await store.add(watchOn(token), SHARES)
    await judge()
    const follower = follow('one')
    await follower.look()
    for (let n = 0; n < 40; n += 1) chain.mine(n === 20 ? [{ address: token, slot: SWITCH, value: 1n }] : [])
    for (let looks = 0; looks < 3; looks += 1) await follower.look()
    expect(await told()).toMatchObject([{ kind: 'condition', block: 21n }])
    await judge()
    for (let n = 0; n < 600; n += 1) chain.mine(n === 300 ? [{ address: token, slot: SWITCH, value: 0n }] : [])
    await follower.look()
    await judge()
    expect((await told()).at(-1)).toMatchObject({ kind: 'level', level: 'Low Risk' })
  })

  test.each([1, 2, 3, 4, 5])(
    'two processes that die anywhere lose no alert and double none (seed %d)',
    async (seed) => {
      const { store, chain, follow, judge, told, clock } = await setUp(db)
      const draw = createDraws(seed)
      const tokens = Array.from({ length: 6 }, (_, n) => tokenOf(n))
      for (const token of tokens) await store.add(watchOn(token), SHARES)
      await judge()
      await follow('begin').look()
      clock.advance(LEASE_MS)
      let generation = 0
      const planted: { address: Address; block: bigint }[] = []
      const born = () => {
        generation += 1
        return follow(`process ${generation}`, mortal(store, draw))
      }
      let processes = [born(), born()]
      for (let turn = 0; turn < 60; turn += 1) {
        const address = tokens[draw(tokens.length)] ?? tokenOf(0)
        // Another value than at the last verdict, once for each token: none is judged again.
        const isPlanted = draw(2) === 0 && !planted.some((each) => each.address === address)
        chain.mine(
          isPlanted ? [{ address, slot: SWITCH, value: 1n }] : [{ address, slot: BALANCE, value: BigInt(turn) }],
        )
        if (isPlanted) planted.push({ address, block: chain.head().number })
        const outcomes = await Promise.allSettled(processes.map((each) => each.look()))
        processes = processes.map((each, i) => (outcomes[i]?.status === 'rejected' ? born() : each))
        clock.advance(draw(2) === 0 ? 1_000 : LEASE_MS)
      }
      clock.advance(LEASE_MS)
      const last = follow('last')
      for (let looks = 0; looks < 8; looks += 1) await last.look()
      expect((await told()).map(({ address, block }) => ({ address, block }))).toEqual(planted)
      expect(planted.length).toBeGreaterThan(0)
    },
  )

  test('one process follows a chain, and another goes on when it is silent for the length of its lease', async () => {
    const { store, chain, follow, clock } = await setUp(db)
    await store.add(watchOn(tokenOf(1)), SHARES)
    const [one, two] = [follow('one'), follow('two')]
    expect(await one.look()).toMatchObject({ isHeld: true })
    expect(await two.look()).toMatchObject({ isHeld: false })
    clock.advance(LEASE_MS)
    chain.mine()
    expect(await two.look()).toMatchObject({ isHeld: true, blocks: 1 })
    expect(await one.look()).toMatchObject({ isHeld: false })
    await two.release()
    expect(await one.look()).toMatchObject({ isHeld: true })
  })

  describe('a token whose words change all the time', () => {
    const FLIPS = 40

    async function setUpFlapping() {
      const all = await setUp(db)
      const token = tokenOf(1)
      await all.store.add(watchOn(token), SHARES)
      await all.judge()
      const follower = all.follow('one')
      await follower.look()
      for (let n = 1; n <= FLIPS; n += 1) {
        // Judged after each, as by a service that has nothing else to do, and found harmless.
        all.chain.mine([{ address: token, slot: SWITCH, value: BigInt(n % 2) }])
        await follower.look()
      }
      return { ...all, token, follower }
    }

    test('is told of some times, of which the last says that more is not', async () => {
      const { told, store } = await setUpFlapping()
      expect(await told()).toHaveLength(12)
      const texts = (await store.listAlerts('key_a', { after: 0, limit: 100 })).map(({ text }) => text)
      expect(texts.filter((text) => text.includes('is not told for an hour'))).toEqual(texts.slice(-1))
    })

    test('is judged again within ten minutes all the same', async () => {
      const { told, judge, chain, token, follower, clock } = await setUpFlapping()
      await judge()
      const before = (await told()).length
      chain.mine([{ address: token, slot: SWITCH, value: 99n }])
      await follower.look()
      await judge()
      expect((await told()).slice(before)).toEqual([])
      clock.advance(FLAPPING_AGAIN_MS)
      await judge()
      expect((await told()).slice(before)).toMatchObject([{ kind: 'level', level: 'Critical Risk' }])
    })

    test('hides no change of another kind', async () => {
      const { told, chain, token, follower, store, clock } = await setUp(db).then(async (all) => {
        const token = tokenOf(1)
        await all.store.add(watchOn(token), SHARES)
        await all.judge()
        return { ...all, token, follower: all.follow('one') }
      })
      await follower.look()
      for (let n = 1; n <= 20; n += 1) {
        chain.mine([{ address: token, slot: SWITCH, value: BigInt(n) }])
        await follower.look()
      }
      expect((await told()).filter(({ kind }) => kind === 'condition')).toHaveLength(12)
      chain.mine([{ address: token, slot: OWNER, value: 0n }])
      await follower.look()
      expect((await told()).at(-1)).toMatchObject({ kind: 'owner', address: token })
      expect((await store.readToken(CHAIN, token))?.changedBlock).toBe(21n)
      expect(clock.now()).toBeGreaterThan(0)
    })
  })

  test('what happened is judged before what was ordered, and that before what time has made due', async () => {
    const { store, chain, follow, judge, clock } = await setUp(db)
    const [old, changed, fresh] = [tokenOf(1), tokenOf(2), tokenOf(3)]
    for (const each of [old, changed]) await store.add(watchOn(each), SHARES)
    await judge()
    const follower = follow('one')
    await follower.look()
    // A day passes, in which this service was away: all is due.
    clock.advance(2 * 86_400_000)
    await store.add(watchOn(fresh, { createdAt: clock.now() }), SHARES)
    clock.advance(1_000)
    chain.mine([{ address: changed, slot: SWITCH, value: 1n }])
    await follower.look()
    const claim = async () => (await store.claimDue([CHAIN], { now: clock.now(), leaseMs: 60_000 }))?.address
    expect([await claim(), await claim(), await claim(), await claim()]).toEqual([changed, fresh, old, undefined])
  })

  test('a process keeps its chain through a step that takes longer than its lease, and not for ever', async () => {
    const { store, chain, follow, judge, told, clock } = await setUp(db)
    await store.add(watchOn(tokenOf(1)), SHARES)
    await judge()
    let passing = async () => {}
    const slow = {
      ...store,
      listOn: async (...of: Parameters<WatchStore['listOn']>) => passing().then(() => store.listOn(...of)),
    }
    const [one, two] = [follow('one', slow), follow('two')]
    await one.look()
    chain.mine([{ address: tokenOf(1), slot: SWITCH, value: 1n }])
    const isTaken: boolean[] = []
    passing = async () => {
      for (let second = 0; second < 20; second += 1) {
        clock.advance(1_000)
        await one.keep()
        isTaken.push((await two.look()).isHeld)
      }
    }
    expect(await one.look()).toMatchObject({ isHeld: true, blocks: 1 })
    expect(isTaken).not.toContain(true)
    expect(await told()).toHaveLength(1)
    // Between looks nothing is kept.
    clock.advance(LEASE_MS)
    await one.keep()
    expect(await two.look()).toMatchObject({ isHeld: true })
    await two.release()

    chain.mine([{ address: tokenOf(1), slot: SWITCH, value: 2n }])
    passing = async () => {
      clock.advance(LONGEST_STEP_MS + 1)
      await one.keep()
      expect(await two.look()).toMatchObject({ isHeld: true, blocks: 1 })
      passing = async () => {}
    }
    expect(await one.look()).toMatchObject({ blocks: 0 })
    expect(await told()).toHaveLength(2)
  })

  test('tokens of a chain are listed in pages, each once, also where names differ by case alone', async () => {
    const { store } = await setUp(db)
    const letters = ['A', 'a', 'B', 'b', 'aB', 'Ab', 'AB']
    const mints = letters.map((part) => part.padEnd(44, '1') as TokenAddress)
    for (const [n, address] of mints.entries())
      await store.add(watchOn(tokenOf(n), { id: `watch_${n}`, chainId: SOLANA_ID, address }), SHARES)
    await store.add(watchOn(tokenOf(9)), SHARES)
    const pages: TokenAddress[][] = []
    for (let after: TokenAddress | undefined; pages.length < 4; after = pages.at(-1)?.at(-1))
      pages.push((await store.listTokens(SOLANA_ID, { after, limit: 3 })).map(({ address }) => address))
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1, 0])
    expect(pages.flat().toSorted()).toEqual(mints.toSorted())
  })

  test('shares of a key and of a chain are kept, and a watch of the same token is renewed', async () => {
    const { store } = await setUp(db)
    expect(await store.add(watchOn(tokenOf(1)), { ofKey: 1, ofChain: 9 })).toMatchObject({ address: tokenOf(1) })
    expect(await store.add(watchOn(tokenOf(2)), { ofKey: 1, ofChain: 9 })).toBe('watches')
    expect(await store.add(watchOn(tokenOf(2)), { ofKey: 9, ofChain: 1 })).toBe('tokens')
    const renewed = await store.add(watchOn(tokenOf(1), { id: 'watch_b', tells: ['tax'] }), { ofKey: 1, ofChain: 1 })
    expect(renewed).toMatchObject({ id: watchOn(tokenOf(1)).id, tells: ['tax'] })
    const others = watchOn(tokenOf(1), { id: 'watch_c', keyId: 'key_b' })
    expect(await store.add(others, { ofKey: 1, ofChain: 9 })).toMatchObject({ id: 'watch_c' })
    expect((await store.list('key_a', 0)).map(({ id }) => id)).toEqual([watchOn(tokenOf(1)).id])
    expect(await store.remove('watch_c', 'key_a')).toBe(false)
    expect(await store.remove('watch_c', 'key_b')).toBe(true)
  })

  test('watches end, tokens without one are forgotten, and so are old alerts', async () => {
    const { store, chain, follow, judge, told, clock } = await setUp(db)
    const token = tokenOf(1)
    const expiresAt = clock.now() + WATCH_MS
    await store.add(watchOn(token, { expiresAt }), SHARES)
    await judge()
    await follow('one').look()
    chain.mine([{ address: token, slot: SWITCH, value: 1n }])
    await follow('one').look()
    expect(await told()).toHaveLength(1)
    await store.forgetOld(clock.now())
    expect(await store.countTokens(CHAIN)).toBe(1)
    await store.forgetOld(Math.max(expiresAt, clock.now() + ALERT_KEPT_MS + 1))
    expect(await store.list('key_a', clock.now())).toEqual([])
    expect(await store.countTokens(CHAIN)).toBe(0)
    expect(await told()).toEqual([])
  })

  test('a change that comes while a token is judged calls for the next verdict', async () => {
    const { store, chain, follow, judge, clock } = await setUp(db)
    const token = tokenOf(1)
    await store.add(watchOn(token), SHARES)
    await judge()
    const follower = follow('one')
    await follower.look()
    chain.mine([{ address: token, slot: SWITCH, value: 1n }])
    await follower.look()
    const claimed = await store.claimDue([CHAIN], { now: clock.now(), leaseMs: 60_000 })
    const judgedAt = chain.head()
    chain.mine([{ address: token, slot: SWITCH, value: 2n }])
    await follower.look()
    const [judgement, dependencies] = [judgementAt(judgedAt, 95), standsOn(chain, token)]
    const dueAt = clock.now() + 86_400_000
    await store.settle({
      token: claimed ?? { chainId: CHAIN, address: token, version: -1 },
      ...{ judgement, dependencies, judgedAt: clock.now(), dueAt, alerts: [] },
    })
    clock.advance(STALE_MS)
    expect((await store.claimDue([CHAIN], { now: clock.now(), leaseMs: 60_000 }))?.version).toBe(2)
  })
}

type Draw = (count: number) => number

/** Numbers from 0 to below `count`, the same for the same seed. */
function createDraws(seed: number): Draw {
  const random = createSeededRandom(toPaddedHex(BigInt(seed), 32))
  let drawn = 0
  return (count) => {
    drawn += 1
    return Number(random.between(`draw ${drawn}`, 0n, BigInt(count - 1)))
  }
}

/** A store whose process dies now and then: before a write, or right after it. */
function mortal(store: WatchStore, draw: Draw): WatchStore {
  let isDead = false
  const die = () => {
    isDead = true
    throw new Error('the process died')
  }
  return {
    ...store,
    holdChain: async (...of) => (isDead ? die() : store.holdChain(...of)),
    async advance(step) {
      if (isDead || draw(8) === 0) die()
      const isWritten = await store.advance(step)
      if (draw(8) === 0) die()
      return isWritten
    },
  }
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
describe('watches in SQLite', () => {
  suite(() => {
    const dataDir = mkdtempSync(join(tmpdir(), 'assay-watches-'))
    folders.push(dataDir)
    return openDatabase({ dataDir, databaseUrl: undefined })
  })
})

const isPostgresThere = await hasPostgres()
describe.skipIf(!isPostgresThere)('watches in PostgreSQL (skipped where none listens on port 5432)', () => {
  const schemas = createTestSchemas('assay_watches')
  afterAll(schemas.drop)
  suite(async () => openDatabase({ dataDir: '', databaseUrl: await schemas.newUrl() }))
})
