import { expect, test } from 'vitest'
import { ethereum } from '../chains/ethereum.js'
import { L1_BLOCK } from '../evm/op-fees.js'
import { type Address, EMPTY_CODE_HASH, type Hex, toPaddedHex } from '../hex.js'
import type { ReadNotes } from '../simulation/read-notes.js'
import type { RpcStateSource } from '../state/rpc-state-source.js'
import type { StateMiss } from '../state/state-reader.js'
import { createJudgedBlocks } from './judged-blocks.js'

const TOKEN = toPaddedHex(0x70n, 20)
const OWNER = toPaddedHex(0x71n, 20)
const CONTRACT = toPaddedHex(0x72n, 20)
const WETH = ethereum.wrappedNative
const CODE_HASH = toPaddedHex(0xc0den, 32)
const target = { chain: ethereum, address: TOKEN }
const FEE: StateMiss = { kind: 'storage', address: TOKEN, slot: 5n }
const OF_TOKEN: StateMiss = { kind: 'account', address: TOKEN }
const notesOf = (reads: StateMiss[], more: Partial<ReadNotes> = {}): ReadNotes => ({
  ...{ reads, coinsAsked: [], coinsPaid: [], isFleeting: false },
  ...more,
})
const hashOf = (number: bigint) => toPaddedHex(number, 32)

interface World {
  /** Slots of the token. */
  slots?: Record<string, bigint>
  /** Coins. */
  balances?: Record<Address, bigint>
  nonces?: Record<Address, bigint>
  hashes?: Record<string, Hex>
  fails?: boolean
}

/** The state at the block `number`, a second later than the block before. */
function stateAt(number: bigint, { slots = {}, balances = {}, nonces = {}, hashes = {}, fails = false }: World = {}) {
  const asked: StateMiss[] = []
  const state: Partial<RpcStateSource> = {
    block: { number, hash: hashOf(number), timestamp: 1_000n + number } as RpcStateSource['block'],
    endpoint: 0,
    account: (address) => ({
      balance: balances[address] ?? 0n,
      nonce: nonces[address] ?? 1n,
      codeHash: [TOKEN, CONTRACT, WETH].includes(address) ? CODE_HASH : EMPTY_CODE_HASH,
    }),
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
function setUp({
  reads = [FEE, OF_TOKEN],
  notes = {} as Partial<ReadNotes>,
  logs = [] as bigint[],
  world = UNTOUCHED as World,
  isSettled = true,
  until = 2_000,
} = {}) {
  const judged = createJudgedBlocks({
    maxBytes: 4_000_000,
    hasLogs: async (_, from, to) => logs.some((block) => block >= from && block <= to),
  })
  judged.note(target, stateAt(10n, world), notesOf(reads, notes))
  if (isSettled) judged.settle(target, hashOf(10n), until)
  return judged
}

test('a target is judged at its last block for as long as nothing changes that was read of it', async () => {
  const judged = setUp()
  for (const number of [11n, 12n, 45n]) {
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
  ['it has left a log', { logs: [11n] }, stateAt(12n, UNTOUCHED)],
  ['a block is asked what it says of itself', { notes: { isFleeting: true } }, stateAt(11n, UNTOUCHED)],
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
  judged.note(target, stateAt(10n, { slots: { 5: 100n, 6: 1n } }), notesOf([more]))
  expect(judged.hashAt(target, hashOf(11n))).toBe(hashOf(11n))
  expect(await judged.before(target, stateAt(11n, { slots: { 5: 100n, 6: 2n } }))).toBeUndefined()
})

const accountOf = (address: Address): StateMiss => ({ kind: 'account', address })

test.each([
  ['of the exchange, which come and go', WETH, {}, true],
  ['of the exchange, with which it pays', WETH, { coinsPaid: [WETH] }, true],
  ['of the exchange, when code asks for them', WETH, { coinsAsked: [WETH] }, false],
  ['of a person', OWNER, {}, true],
  ['of a person, when code asks for them', OWNER, { coinsAsked: [OWNER] }, false],
  ['of one who pays', OWNER, { coinsPaid: [OWNER] }, false],
  ['of another contract', CONTRACT, {}, false],
] as const)('coins %s', async (_, address, notes, stands) => {
  const judged = setUp({ reads: [FEE, accountOf(address)], notes: notes as Partial<ReadNotes> })
  const head = stateAt(11n, { ...UNTOUCHED, balances: { [address]: 7n } })
  expect((await judged.before(target, head)) !== undefined).toBe(stands)
})

test('coins of which code asks later count from then on', async () => {
  const judged = setUp({ reads: [FEE, accountOf(WETH)] })
  const head = stateAt(11n, { ...UNTOUCHED, balances: { [WETH]: 7n } })
  expect(await judged.before(target, head)).toBeDefined()
  expect(judged.hasNews(target, hashOf(10n))).toBe(false)
  judged.note(target, stateAt(10n, UNTOUCHED), notesOf([], { coinsAsked: [WETH] }))
  expect(judged.hasNews(target, hashOf(10n))).toBe(true)
  expect(await judged.before(target, head)).toBeUndefined()
})

test('an account that was used for the first time is another', async () => {
  const judged = setUp({ reads: [FEE, accountOf(OWNER)] })
  expect(await judged.before(target, stateAt(11n, { ...UNTOUCHED, nonces: { [OWNER]: 9n } }))).toBeDefined()
  expect(await judged.before(target, stateAt(12n, { ...UNTOUCHED, nonces: { [OWNER]: 0n } }))).toBeUndefined()
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
  judged.note(target, stateAt(9n, { slots: { 5: 1n } }), notesOf([FEE]))
  expect((await judged.before(target, stateAt(11n, UNTOUCHED)))?.block.number).toBe(10n)
})

test('the words of a later block take the place of those before once all is known of it', async () => {
  const judged = setUp()
  judged.note(target, stateAt(11n, { slots: { 5: 101n } }), notesOf([FEE]))
  expect((await judged.before(target, stateAt(12n, UNTOUCHED)))?.block.number).toBe(10n)
  judged.settle(target, hashOf(11n))
  expect((await judged.before(target, stateAt(12n, { slots: { 5: 101n } })))?.block.number).toBe(11n)
})

test('what was changed meanwhile does not stand while a later block is judged', async () => {
  const judged = setUp()
  judged.note(target, stateAt(11n, { slots: { 5: 101n } }), notesOf([FEE]))
  expect(await judged.before(target, stateAt(12n, { slots: { 5: 101n } }))).toBeUndefined()
  judged.settle(target, hashOf(11n))
  expect(await judged.before(target, stateAt(12n, { slots: { 5: 101n } }))).toBeUndefined()
})

test('of two later blocks the latest counts, and the one before not at all', async () => {
  const judged = setUp()
  judged.note(target, stateAt(12n, { slots: { 5: 102n } }), notesOf([FEE]))
  judged.note(target, stateAt(11n, { slots: { 5: 101n } }), notesOf([FEE]))
  judged.settle(target, hashOf(11n))
  expect(judged.hashAt(target, hashOf(11n))).toBe(hashOf(11n))
  judged.settle(target, hashOf(12n))
  expect((await judged.before(target, stateAt(13n, { slots: { 5: 102n } })))?.block.number).toBe(12n)
})

test.each([
  ['is known for a while after it was judged', {}, 1_020, true],
  ['is not known when its block is too old', {}, 1_071, false],
  ['is not known when the time has come that it named', { until: 1_015 }, 1_020, false],
  ['is not known while its checks are not all done', { isSettled: false }, 1_020, false],
  ['is not known where it is judged at each head', { notes: { isFleeting: true } }, 1_020, false],
])('a target %s', (_, made, now, isKnown) => {
  const judged = setUp(made)
  expect(judged.isKnown(target, now)).toBe(isKnown)
  expect(judged.isKnown({ chain: ethereum, address: OWNER }, now)).toBe(false)
})

/** The target, whose block may stand for so many seconds, after it was taken for these heads. */
async function reuse(heads: readonly bigint[]) {
  const judged = setUp()
  for (const number of heads) await judged.before(target, stateAt(number, UNTOUCHED))
  return judged
}

/** Seconds for which the block of {@link TOKEN} may stand. */
const MAX_AGE = 60n - (BigInt(TOKEN) % 20n)

test.each([
  ['when it was asked about at several heads and is soon too old', [12n, 10n + MAX_AGE - 1n], true],
  ['not when it was asked about once', [10n + MAX_AGE - 1n], false],
  ['not when it has time yet', [12n, 13n, 14n], false],
] as const)('a target is due %s', async (_, heads, isDue) => {
  const judged = await reuse(heads)
  expect(judged.isDue(target, hashOf(10n))).toBe(isDue)
  expect(judged.isDue(target, hashOf(11n))).toBe(false)
})

test('what was judged anew is not due', async () => {
  const judged = await reuse([12n, 10n + MAX_AGE - 1n])
  const later = 10n + MAX_AGE
  judged.note(target, stateAt(later, UNTOUCHED), notesOf([FEE, OF_TOKEN]))
  expect(judged.isDue(target, hashOf(10n))).toBe(true)
  judged.settle(target, hashOf(later))
  expect(judged.isDue(target, hashOf(later))).toBe(false)
  expect((await judged.before(target, stateAt(later + 20n, UNTOUCHED)))?.block.number).toBe(later)
})

test('two chains and two targets have nothing in common', async () => {
  const judged = setUp()
  const other = { chain: { ...ethereum, id: 56 }, address: TOKEN }
  expect(await judged.before(other, stateAt(11n, UNTOUCHED))).toBeUndefined()
  expect(await judged.before({ chain: ethereum, address: OWNER }, stateAt(11n, UNTOUCHED))).toBeUndefined()
})

test('what is noted anew of a block, after all was forgotten, is not taken for the whole', async () => {
  const judged = createJudgedBlocks({ maxBytes: 4_000_000, hasLogs: async () => false })
  const more: StateMiss = { kind: 'storage', address: TOKEN, slot: 6n }
  const world = { slots: { 5: 100n, 6: 1n } }
  judged.note(target, stateAt(10n, world), notesOf([FEE, more]))
  judged.settle(target, hashOf(10n))
  // Seen at the next block, and gone with it.
  expect(await judged.before(target, stateAt(11n, { slots: { 5: 100n, 6: 2n } }))).toBeUndefined()
  // A node that lags gives the block before once more, and one check of it is not shared.
  judged.note(target, stateAt(10n, world), notesOf([FEE]))
  judged.settle(target, hashOf(10n))
  expect(await judged.before(target, stateAt(11n, { slots: { 5: 100n, 6: 2n } }))).toBeUndefined()
})

test('so it is of a block that was only noted after a later one', async () => {
  const judged = setUp()
  const late = stateAt(9n, UNTOUCHED)
  judged.note(target, late, notesOf([FEE, OF_TOKEN]))
  expect(await judged.before(target, stateAt(8n, UNTOUCHED))).toBeUndefined()
  judged.note(target, late, notesOf([FEE]))
  judged.settle(target, hashOf(9n))
  expect(await judged.before(target, stateAt(10n, UNTOUCHED))).toBeUndefined()
})

test('coins of invented people are no news', async () => {
  const judged = setUp()
  expect(await judged.before(target, stateAt(11n, UNTOUCHED))).toBeDefined()
  const unknown = { ...stateAt(10n, UNTOUCHED), account: () => undefined }
  judged.note(target, unknown, notesOf([], { coinsAsked: [OWNER], coinsPaid: [OWNER] }))
  expect(judged.hasNews(target, hashOf(10n))).toBe(false)
})
