import { describe, expect, test } from 'vitest'
import type { TradeContext } from '../../dex/legs.js'
import { operation, type Term } from '../../evm/inspectors/term.js'
import { type Look, tellCondition } from './condition-facts.js'

const TOKEN = '0x00000000000000000000000000000000000a11ce'
const context = {
  trader: { address: '0x0000000000000000000000000000000000007ade' },
  market: { pool: { address: '0x00000000000000000000000000000000000b0001', quote: TOKEN } },
} as unknown as TradeContext
const time: Term = { kind: 'environment', name: 'TIMESTAMP', value: 1_800_000_000n }
const later = operation('GT', [time, { kind: 'constant', value: 1_900_000_000n }])
const look: Look = {
  decidesByArithmetic: false,
  isWhole: true,
  lossBps: 10_000,
  isHarmful: true,
  isSolved: false,
  played: [],
}

function tell(condition: Term, different: Partial<Look> = {}) {
  const decision = {
    address: TOKEN,
    codeAddress: TOKEN,
    selector: '0x23b872dd',
    pc: 7,
    occurrence: 0,
    condition,
  } as const
  return tellCondition(
    context,
    { decision, held: 5n, names: { values: new Map(), words: new Map() } },
    { ...look, ...different },
  )
}

describe('a condition', () => {
  test('of the time is explained, for the moments at which it changes are traded at', () => {
    expect(tell(later)).toMatchObject({ leaves: ['time'], reach: 'time', unexplained: undefined })
  })

  test('is explained by the circumstances in which it was played', () => {
    expect(tell(later, { played: ['crowd'] })).toMatchObject({ reach: 'trading', unexplained: undefined })
  })

  test('is not explained by circumstances that should have turned it and did not', () => {
    expect(tell(later, { played: ['crowd'], isMissed: true })).toMatchObject({
      reach: 'unknown',
      unexplained: expect.stringMatching(/did not/),
    })
  })

  test.each<[string, Term, Partial<Look>, RegExp]>([
    ['that a bound of ours left out', later, { isWhole: false }, /too many/],
    ['that a bound left out in part', later, { isWhole: false, played: ['crowd'] }, /too many/],
    ['whose formula was cut', { kind: 'constant', value: 1n, isCut: true }, {}, /too deep/],
    [
      'by arithmetic whose formula was cut',
      { kind: 'constant', value: 1n, isCut: true },
      { decidesByArithmetic: true, isHarmful: false },
      /too deep/,
    ],
    [
      'that asks for a hash of the time',
      operation('KECCAK256', [{ kind: 'constant', value: 0n }, time]),
      {},
      /hash|followed/,
    ],
  ])('%s is not explained', (_, condition, different, reason) => {
    expect(tell(condition, different)).toMatchObject({ reach: 'unknown', unexplained: expect.stringMatching(reason) })
  })

  test.each(['EXTCODESIZE', 'EXTCODEHASH'])('that asks the seller for his %s is explained only if solved', (name) => {
    const about = BigInt(context.trader.address)
    const size: Term = { kind: 'environment', name, value: 0n, about }
    const condition = operation('EQ', [size, { kind: 'constant', value: 5n }])
    expect(tell(condition)).toMatchObject({
      reach: 'unknown',
      unexplained: expect.stringMatching(/code of the seller/),
    })
    expect(tell(condition, { isSolved: true })).toMatchObject({ unexplained: undefined })
    expect(tell(condition, { isHarmful: false })).toMatchObject({ unexplained: undefined })
    const ofOther = operation('EQ', [
      { ...size, about: 7n },
      { kind: 'constant', value: 5n },
    ])
    expect(tell(ofOther)).toMatchObject({ unexplained: undefined })
  })

  test('about the coins of the seller asks who sells, and about those of another does not', () => {
    const coinsOf = (about: bigint): Term => ({ kind: 'environment', name: 'BALANCE', value: 9n, about })
    const asks = (about: bigint) => tell(operation('GT', [coinsOf(about), { kind: 'constant', value: 5n }])).asked
    expect(asks(BigInt(context.trader.address))).toEqual(['seller'])
    expect(asks(7n)).toEqual([])
  })

  test('whose formula was cut is explained where the other answer does no harm', () => {
    const cut: Term = { kind: 'constant', value: 1n, isCut: true }
    expect(tell(cut, { isHarmful: false, lossBps: 0 })).toMatchObject({ unexplained: undefined })
  })
})
