import { expect, test } from 'vitest'
import { ethereum } from '../chains/ethereum.js'
import { L1_BLOCK } from '../evm/op-fees.js'
import { type Address, EMPTY_CODE_HASH, type Hex, toPaddedHex } from '../hex.js'
import type { RpcStateSource } from '../state/rpc-state-source.js'
import type { StateMiss } from '../state/state-reader.js'
import { createJudgedBlocks } from './judged-blocks.js'

const TOKEN = toPaddedHex(0x70n, 20)
const OWNER = toPaddedHex(0x71n, 20)
const target = { chain: ethereum, address: TOKEN }
const FEE: StateMiss = { kind: 'storage', address: TOKEN, slot: 5n }
const OF_TOKEN: StateMiss = { kind: 'account', address: TOKEN }
const hashOf = (number: bigint) => toPaddedHex(number, 32)

interface World {
  /** Slots of the token. */
  slots?: Record<string, bigint>
  /** Coins. */
  balances?: Record<Address, bigint>
  hashes?: Record<string, Hex>
  fails?: boolean
}

/** The state at the block `number`, a second later than the block before. */
function stateAt(number: bigint, { slots = {}, balances = {}, hashes = {}, fails = false }: World = {}) {
  const asked: StateMiss[] = []
  const state: Partial<RpcStateSource> = {
    block: { number, hash: hashOf(number), timestamp: 1_000n + number } as RpcStateSource['block'],
    endpoint: 0,
    account: (address) => ({ balance: balances[address] ?? 0n, nonce: 1n, codeHash: EMPTY_CODE_HASH }),
    storage: (address, slot) => (address === TOKEN || address === L1_BLOCK ? slots[String(slot)] : undefined),
    blockHash: (of) => hashes[String(of)] ?? hashOf(of),
    async load(misses) {
      asked.push(...misses)
      if (fails) throw new RangeError('no node')
    },
  }
  return Object.assign(state as RpcStateSource, { asked })
}

const UNTOUCHED = { slots: { 5: 100n } }

/** A token that was judged at block 10. */
function setUp({ reads = [FEE, OF_TOKEN], world = UNTOUCHED as World, isSettled = true, until = 2_000 } = {}) {
  const judged = createJudgedBlocks()
  judged.note(target, stateAt(10n, world), reads)
  if (isSettled) judged.settle(target, hashOf(10n), until)
  return judged
}

test('a target is judged at its last block for as long as nothing changes that was read of it', async () => {
  const judged = setUp()
  for (const number of [11n, 12n, 70n]) {
    const head = stateAt(number, UNTOUCHED)
    expect(judged.hashAt(target, head.block.hash)).toBe(head.block.hash)
    expect((await judged.before(target, head))?.block.number).toBe(10n)
    expect(head.asked).toEqual(expect.arrayContaining([FEE, OF_TOKEN]))
    expect(judged.hashAt(target, head.block.hash)).toBe(hashOf(10n))
  }
})

test.each([
  ['a word has changed', {}, stateAt(11n, { slots: { 5: 101n } })],
  ['its coins have', {}, stateAt(11n, { ...UNTOUCHED, balances: { [TOKEN]: 1n } })],
  ['a minute has passed', {}, stateAt(71n, UNTOUCHED)],
  ['the time has come that it named', { until: 1_011 }, stateAt(11n, UNTOUCHED)],
  ['the head lies before', {}, stateAt(9n, UNTOUCHED)],
  ['another block stands at its height', {}, stateAt(11n, { ...UNTOUCHED, hashes: { 10: hashOf(99n) } })],
  ['no node can say', {}, stateAt(11n, { ...UNTOUCHED, fails: true })],
  ['not all checks were done', { isSettled: false }, stateAt(11n, UNTOUCHED)],
  [
    'too much was read',
    {
      reads: Array.from(
        { length: 5_000 },
        (_, i): StateMiss => ({ kind: 'account', address: toPaddedHex(BigInt(i), 20) }),
      ),
    },
    stateAt(11n, UNTOUCHED),
  ],
])('it is judged at the head where %s', async (_, made, head) => {
  const judged = setUp(made)
  expect(await judged.before(target, head)).toBeUndefined()
  expect(judged.hashAt(target, head.block.hash)).toBe(head.block.hash)
})

test('what has changed once is not asked about again', async () => {
  const judged = setUp()
  await judged.before(target, stateAt(11n, { slots: { 5: 101n } }))
  const later = stateAt(12n, UNTOUCHED)
  expect(await judged.before(target, later)).toBeUndefined()
  expect(later.asked).toEqual([])
})

test('several checks that open the head ask it once', async () => {
  const judged = setUp()
  const [first, second] = [stateAt(11n, UNTOUCHED), stateAt(11n, UNTOUCHED)]
  const blocks = await Promise.all([judged.before(target, first), judged.before(target, second)])
  expect(blocks.map((each) => each?.block.number)).toEqual([10n, 10n])
  expect(second.asked).toEqual([])
})

test('what is read later counts as well', async () => {
  const judged = setUp()
  const more: StateMiss = { kind: 'storage', address: TOKEN, slot: 6n }
  expect(await judged.before(target, stateAt(11n, { slots: { 5: 100n, 6: 2n } }))).toBeDefined()
  judged.note(target, stateAt(10n, { slots: { 5: 100n, 6: 1n } }), [more])
  expect(judged.hashAt(target, hashOf(11n))).toBe(hashOf(11n))
  expect(await judged.before(target, stateAt(11n, { slots: { 5: 100n, 6: 2n } }))).toBeUndefined()
})

test('coins that come and go at the places of the exchange change nothing', async () => {
  const weth = ethereum.wrappedNative
  const judged = setUp({ reads: [FEE, { kind: 'account', address: weth }, { kind: 'account', address: OWNER }] })
  const of = (balances: Record<Address, bigint>) => stateAt(11n, { ...UNTOUCHED, balances })
  expect(await judged.before(target, of({ [weth]: 7n }))).toBeDefined()
  const other = setUp({ reads: [FEE, { kind: 'account', address: OWNER }] })
  expect(await other.before(target, of({ [OWNER]: 7n }))).toBeUndefined()
})

test('words that the chain writes in each block, and those of invented wallets, are not asked for', async () => {
  const ofL1: StateMiss = { kind: 'storage', address: L1_BLOCK, slot: 1n }
  const invented: StateMiss = { kind: 'storage', address: TOKEN, slot: 1n << 200n }
  const judged = setUp({ reads: [FEE, ofL1, invented], world: { slots: { 5: 100n, 1: 1n } } })
  const head = stateAt(11n, { slots: { 5: 100n, 1: 2n } })
  expect(await judged.before(target, head)).toBeDefined()
  expect(head.asked).toEqual([FEE, { kind: 'blockHash', number: 10n }])
})

test('a check of an earlier block that ends late says nothing of the later one', async () => {
  const judged = setUp()
  judged.note(target, stateAt(9n, { slots: { 5: 1n } }), [FEE])
  expect((await judged.before(target, stateAt(11n, UNTOUCHED)))?.block.number).toBe(10n)
})

test('the words of a later block take the place of those before', async () => {
  const judged = setUp()
  judged.note(target, stateAt(11n, { slots: { 5: 101n } }), [FEE])
  expect(await judged.before(target, stateAt(12n, UNTOUCHED))).toBeUndefined()
  judged.settle(target, hashOf(11n))
  expect((await judged.before(target, stateAt(12n, { slots: { 5: 101n } })))?.block.number).toBe(11n)
})

test('two chains and two targets have nothing in common', async () => {
  const judged = setUp()
  const other = { chain: { ...ethereum, id: 56 }, address: TOKEN }
  expect(await judged.before(other, stateAt(11n, UNTOUCHED))).toBeUndefined()
  expect(await judged.before({ chain: ethereum, address: OWNER }, stateAt(11n, UNTOUCHED))).toBeUndefined()
})
