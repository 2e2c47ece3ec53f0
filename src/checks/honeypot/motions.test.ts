import { describe, expect, test } from 'vitest'
import { operation, type Slot, type Term } from '../../evm/inspectors/term.js'
import { findMotions, type Trade, turnsOf } from './motions.js'

const TOKEN = '0x00000000000000000000000000000000000a11ce'
const NOW = 1_800_000_000n
const constant = (value: bigint): Term => ({ kind: 'constant', value })
const wrote = (before: bigint, after: bigint, formula?: Term): Trade => ({
  stores: formula
    ? [
        {
          address: TOKEN,
          codeAddress: TOKEN,
          selector: '0x23b872dd',
          pc: 1,
          slot: 9n,
          entry: undefined,
          value: formula,
        },
      ]
    : [],
  storage: {
    reads: new Map(),
    writes: new Map([[TOKEN, new Map([[9n, { before, after }]])]] as const),
    isTruncated: false,
  },
  timestamp: NOW,
  number: 25_000_000n,
})
const word: Slot = { kind: 'slot', address: TOKEN, slot: 9n, value: 7n, entry: undefined }
/** What the sale was decided by before others traded, and a quota of which some is left. */
const early: Slot = { ...word, value: 1n }
const quota: Slot = { ...word, value: 750n }
/** The place after the one that a trade found at 6, in a ring of so many. */
const ring = (size: bigint) =>
  operation('MOD', [operation('ADD', [{ ...word, value: 6n }, constant(1n)]), constant(size)])
const find = (earlier: Trade, later: Trade, condition: Term, isOpen = () => true) =>
  findMotions(earlier, later, [word], { isOpen }).flatMap((motion) =>
    turnsOf(motion, condition)
      .slice(0, 1)
      .map(({ word }) => word),
  )

describe('the motion of a word', () => {
  test.each<[string, Trade, Trade, Term, bigint]>([
    ['a count', wrote(5n, 6n), wrote(6n, 7n), operation('GT', [word, constant(300n)]), 301n],
    [
      'what the code multiplies',
      wrote(1n, 4n),
      wrote(4n, 13n, operation('ADD', [operation('MUL', [{ ...word, value: 4n }, constant(3n)]), constant(1n)])),
      operation('LT', [word, constant(1_000n)]),
      1_093n,
    ],
    [
      'a place in a ring that is larger than what is compared',
      wrote(5n, 6n),
      wrote(6n, 7n, ring(900n)),
      operation('LT', [word, constant(899n)]),
      899n,
    ],
    ['a volume', wrote(0n, 400n), wrote(400n, 900n), operation('LT', [word, constant(10_000n)]), 10_400n],
    ['a quota', wrote(900n, 800n), wrote(800n, 750n), operation('GT', [quota, constant(60n)]), 50n],
    [
      'a count that is asked after few trades',
      wrote(5n, 6n),
      wrote(6n, 7n),
      operation('GT', [early, constant(3n)]),
      7n,
    ],
    [
      'a limit that shrinks by half',
      wrote(4_096n, 2_048n),
      wrote(2_048n, 1_024n, operation('DIV', [{ ...word, value: 2_048n }, constant(2n)])),
      operation('GT', [{ ...word, value: 8_192n }, constant(100n)]),
      64n,
    ],
    [
      'every fiftieth trade',
      wrote(5n, 6n),
      wrote(6n, 7n),
      operation('ISZERO', [operation('MOD', [word, constant(50n)])]),
      50n,
    ],
    [
      'a count that is packed beside others',
      wrote(5n << 8n, 6n << 8n),
      wrote(6n << 8n, 7n << 8n),
      operation('GT', [operation('SHR', [constant(8n), word]), constant(9n)]),
      10n << 8n,
    ],
  ])('tells from which value of %s on a branch goes another way', (_, earlier, later, condition, value) => {
    expect(find(earlier, later, condition)).toEqual([value])
  })

  test.each<[string, Trade, Trade, Term]>([
    ['what nothing is compared with', wrote(5n, 6n), wrote(6n, 7n), constant(1n)],
    ['thresholds that were passed', wrote(5n, 6n), wrote(6n, 7n), operation('GT', [word, constant(3n)])],
    ['what goes up and down', wrote(6n, 5n), wrote(5n, 6n), operation('GT', [word, constant(300n)])],
    ['what one trade alone wrote', wrote(6n, 6n), wrote(6n, 7n), operation('GT', [word, constant(300n)])],
    [
      'the moment of the last trade',
      wrote(NOW - 36n, NOW - 12n),
      wrote(NOW - 12n, NOW),
      operation('GT', [word, constant(NOW + 60n)]),
    ],
    ['a place in a ring', wrote(5n, 6n), wrote(6n, 7n, ring(8n)), operation('LT', [word, constant(8n)])],
    ['a place in a large ring', wrote(5n, 6n), wrote(6n, 7n, ring(900n)), operation('LT', [word, constant(900n)])],
    ['what a million trades would take', wrote(5n, 6n), wrote(6n, 7n), operation('GT', [word, constant(1_000_000n)])],
  ])('leaves %s alone', (_, earlier, later, condition) => {
    expect(find(earlier, later, condition)).toEqual([])
  })

  test('goes on from where a branch turns, to what may have grown by then', () => {
    const [motion] = findMotions(wrote(5n, 6n), wrote(6n, 7n), [word], { isOpen: () => true })
    if (!motion) throw new Error('no motion')
    const until = operation('LT', [word, constant(121n)])
    expect(turnsOf(motion, until).map(({ word }) => word)).toEqual([121n, 563n, 100_007n])
    expect(turnsOf(motion, operation('EQ', [word, constant(50n)]))).toEqual([{ word: 50n, trades: 43, comesAfter: 43 }])
    expect(turnsOf(motion, until).map(({ trades, comesAfter }) => [trades, comesAfter])).toEqual([
      [114, 114],
      [114, 556],
      [114, 100_000],
    ])
  })

  test('follows each field of a word by itself, where trades change several', () => {
    const volume = operation('AND', [operation('ADD', [word, constant(300n)]), constant((1n << 80n) - 1n)])
    const last = operation('SHL', [
      constant(80n),
      operation('AND', [{ ...word, slot: 1n }, constant((1n << 96n) - 1n)]),
    ])
    const both = (lastOne: bigint, sum: bigint) => (lastOne << 80n) | sum
    const isMuch = operation('GT', [operation('AND', [word, constant((1n << 80n) - 1n)]), constant(1_500n)])
    const trades = [
      wrote(both(9n, 0n), both(500n, 500n)),
      wrote(both(500n, 500n), both(300n, 800n), operation('OR', [last, volume])),
    ] as const
    expect(find(...trades, isMuch)).toEqual([both(300n, 1_700n)])
    const isFull = operation('GT', [operation('SHR', [constant(80n), word]), constant(600n)])
    expect(find(...trades, isFull)).toEqual([])
  })

  test('stops before a field is full, where few of many trades lie before', () => {
    const step = 1n << 74n
    const field = operation('AND', [word, constant((1n << 88n) - 1n)])
    const isNearlyFull = operation('GT', [field, constant((1n << 88n) - 3n * step)])
    expect(find(wrote(0n, step), wrote(step, 2n * step), isNearlyFull)).toEqual([(1n << 88n) - step])
  })

  test('goes on beside the moment of the last trade', () => {
    const beside = (count: bigint) => (NOW << 8n) | count
    const count = operation('AND', [word, constant(255n)])
    expect(
      find(wrote(beside(5n), beside(6n)), wrote(beside(6n), beside(7n)), operation('GT', [count, constant(99n)])),
    ).toEqual([beside(100n)])
    expect(
      find(
        wrote(beside(7n), beside(7n) + 256n),
        wrote(beside(7n) - 256n, beside(7n)),
        operation('GT', [word, constant(0n)]),
      ),
    ).toEqual([])
  })

  test('ends at what trades leave', () => {
    const [motion] = findMotions(wrote(900n, 800n), wrote(800n, 750n), [word], { isOpen: () => true })
    const isLow = (bound: bigint) => operation('LT', [quota, constant(bound)])
    const turnsWith = (least: bigint, bound: bigint) =>
      motion && turnsOf({ ...motion, least: () => least }, isLow(bound)).map(({ word }) => word)
    expect(turnsWith(60n, 60n)).toEqual([])
    expect(turnsWith(60n, 61n)).toEqual([60n])
    expect(turnsWith(0n, 100n)).toEqual([50n, 0n])
  })

  test('leaves alone what is not to be set', () => {
    expect(find(wrote(5n, 6n), wrote(6n, 7n), operation('GT', [word, constant(300n)]), () => false)).toEqual([])
  })
})
