import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { operation, type Term } from '../../evm/inspectors/term.js'
import type { Trade } from './motions.js'
import { givenBy, heldByOthers, holdingsOf } from './totals.js'

const TOKEN = '0x00000000000000000000000000000000000000aa'
const TRADER = '0x00000000000000000000000000000000000000bb'
const SUPPLY = { address: TOKEN, slot: 2n } as const
const BALANCES = 3n
const OTHERS = 4n
const [SELLER, POOL, MAKER] = [0xbbn, 0xcn, 0xdn]

interface Entry {
  key: bigint
  before: bigint
  step: bigint
  place?: bigint
}

/** A trade that moves entries of mappings, whose slot is told by key and place, and the supply. */
function trade(supply: bigint, step: bigint, entries: readonly Entry[]): Trade {
  const placed = entries.map(({ place = BALANCES, ...each }) => ({ ...each, place, slot: (place << 64n) + each.key }))
  const moved = [...placed, { slot: SUPPLY.slot, before: supply, step }]
  return {
    storage: {
      ...{ reads: new Map(), isTruncated: false },
      writes: new Map([
        [TOKEN, new Map(moved.map(({ slot, before, step }) => [slot, { before, after: before + step }]))],
      ]),
    },
    stores: placed.map(({ key, place, slot }) => ({
      ...{ address: TOKEN, codeAddress: TOKEN, selector: '0xa9059cbb', pc: 1, slot },
      ...{ entry: { key, place }, value: { kind: 'constant', value: 0n } },
    })),
    ...{ timestamp: 1_800_000_000n, number: 100_000n },
  }
}

const isBalance = ({ slot }: { slot: bigint }) => slot === (BALANCES << 64n) + POOL
const burned = (supply: bigint, cut: bigint, taken = cut) =>
  trade(supply, -taken, [
    { key: SELLER, before: 1_000n, step: -500n },
    { key: POOL, before: 5_000n, step: 500n - cut },
  ])

describe('the total of what is held', () => {
  test('is what sinks by just as much as holdings do', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 499n), fc.bigInt(1n, 499n), fc.bigInt(-9n, 9n), (first, second, more) => {
        const found = holdingsOf(SUPPLY, [burned(10_000n, first), burned(9_000n, second, second + more)], isBalance)
        expect(found).toEqual(more === 0n ? { address: TOKEN, place: BALANCES } : undefined)
      }),
    )
  })

  test('counts what a fee moves to others', () => {
    const fee = { key: MAKER, before: 0n, step: 20n }
    const paid = (step: bigint) =>
      trade(10_000n, step, [
        { key: SELLER, before: 1_000n, step: -500n },
        { key: POOL, before: 5_000n, step: 450n },
        fee,
      ])
    expect(holdingsOf(SUPPLY, [paid(-30n)], isBalance)).toBeDefined()
    expect(holdingsOf(SUPPLY, [paid(-50n)], isBalance)).toBeUndefined()
  })

  test('is not less than what is known to be held', () => {
    expect(holdingsOf(SUPPLY, [burned(6_000n, 50n)], isBalance)).toBeDefined()
    expect(holdingsOf(SUPPLY, [burned(5_999n, 50n)], isBalance)).toBeUndefined()
  })

  test('is of a mapping of balances alone', () => {
    const noted = trade(10_000n, -50n, [
      { key: SELLER, before: 1_000n, step: -50n, place: OTHERS },
      { key: POOL, before: 5_000n, step: 0n },
    ])
    expect(holdingsOf(SUPPLY, [noted], isBalance)).toBeUndefined()
    expect(holdingsOf(SUPPLY, [], isBalance)).toBeUndefined()
  })
})

test('others hold what a condition supposes of them', () => {
  const holdings = { address: TOKEN, place: BALANCES } as const
  const entry = (key: bigint, value: bigint, place = BALANCES): Term => ({
    ...{ kind: 'slot', address: TOKEN, slot: (place << 64n) + key, value, entry: { key, place } },
  })
  const asked = [
    entry(POOL, 5_000n),
    entry(POOL, 5_000n),
    entry(SELLER, 1_000n),
    entry(MAKER, 7n),
    entry(MAKER, 9n, OTHERS),
  ]
  const condition = asked.reduce((all, each) => operation('ADD', [all, each]))
  expect(heldByOthers(TRADER, condition, holdings)).toBe(5_007n)
})

test('what an account gave is told by its own entry', () => {
  expect(givenBy(TRADER, burned(10_000n, 50n), { address: TOKEN, place: BALANCES })).toBe(500n)
  expect(givenBy(TRADER, burned(10_000n, 50n), { address: TOKEN, place: OTHERS })).toBe(0n)
})
