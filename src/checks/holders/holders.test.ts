import { describe, expect, test } from 'vitest'
import { mappingSlot, nestedMappingSlot } from '../../dex/mapping-slot.js'
import { type Address, toPaddedHex, ZERO_ADDRESS } from '../../hex.js'
import type { TransferRecord } from '../history/history-report.js'
import { analyseHolders } from './analyse-holders.js'
import { chooseCandidates } from './choose-candidates.js'
import type { HolderSell } from './holders-report.js'
import { findKeyedSlots, slotsOf } from './keyed-slots.js'

const POOL: Address = toPaddedHex(0x9001n, 20)
const ROUTER: Address = toPaddedHex(0x4007n, 20)
const person = (index: number): Address => toPaddedHex(BigInt(index) + 1n, 20)

const moved = (timestamp: number, from: Address, to: Address, value: bigint): TransferRecord => ({
  ...{ hash: toPaddedHex(1n, 32), blockNumber: BigInt(timestamp), logIndex: 0 },
  ...{ timestamp, from, to, value },
})

describe('chooseCandidates', () => {
  /** Forty people bought one after the other, the later the less. */
  const bought = Array.from({ length: 40 }, (_, i) => moved(1_000 + i, POOL, person(i), 1_000n - BigInt(i))).reverse()

  test('takes the latest buyers, the largest and the first', () => {
    const chosen = chooseCandidates(bought, POOL, [])
    const byRole = (role: string) => chosen.filter((each) => each.role === role).map(({ address }) => address)
    expect(byRole('recent-buyer')).toEqual(Array.from({ length: 8 }, (_, i) => person(39 - i)))
    expect(byRole('largest')).toEqual(Array.from({ length: 6 }, (_, i) => person(i)))
    expect(byRole('oldest')).toEqual(Array.from({ length: 4 }, (_, i) => person(6 + i)))
  })

  test('no address that is no person', () => {
    const transfers = [
      moved(3, POOL, ROUTER, 5n),
      moved(2, person(1), ZERO_ADDRESS, 5n),
      moved(1, ZERO_ADDRESS, POOL, 5n),
      moved(1, POOL, person(2), 0n),
    ]
    expect(chooseCandidates(transfers, POOL, [ROUTER])).toEqual([])
  })

  test('knows who has sent', () => {
    const [candidate] = chooseCandidates([moved(2, person(1), person(2), 1n), moved(1, POOL, person(1), 5n)], POOL, [])
    expect(candidate).toEqual({ address: person(1), role: 'recent-buyer', received: 5n, hasSent: true, since: 1 })
  })
})

describe('analyseHolders', () => {
  const sell = (fields: Partial<HolderSell>): HolderSell => ({
    ...{ address: POOL, role: 'largest', received: 100n, hasSent: false, since: 1_700_000_000, balance: 100n },
    ...{ outcome: 'sold', taxBps: 0, reason: '' },
    ...fields,
  })
  const refused = (fields: Partial<HolderSell> = {}) =>
    sell({ outcome: 'refused', taxBps: undefined, reason: 'no', ...fields })
  const analyse = (sells: readonly HolderSell[], unfinished = '') => analyseHolders({ sells, unfinished }, 99)

  test('adds up', () => {
    const sells = [
      sell({ taxBps: 100 }),
      sell({ taxBps: 300 }),
      sell({ taxBps: undefined }),
      refused({ reason: 'barred' }),
      refused({ reason: 'paused' }),
      refused({ reason: 'paused' }),
      sell({ outcome: 'gone' }),
      sell({ outcome: 'empty' }),
      sell({ outcome: 'contract' }),
    ]
    expect(analyse(sells)).toMatchObject({
      ...{ holders: 99, tested: 6, successful: 3, failed: 3, siphoned: 1, averageTaxBps: 200, highestTaxBps: 300 },
      reasons: [
        { reason: 'paused', count: 2 },
        { reason: 'barred', count: 1 },
      ],
      unfinished: undefined,
    })
  })

  test('half of it lost is ruin, less is not', () => {
    const sells = [
      sell({ taxBps: 4_999 }),
      sell({ taxBps: 5_000 }),
      sell({ taxBps: 9_500 }),
      sell({ taxBps: undefined }),
    ]
    expect(analyse(sells)).toMatchObject({ tested: 4, successful: 2, ruined: 2, failed: 0, highestTaxBps: 9_500 })
  })

  test('no holder tried is nothing known', () => {
    expect(analyse([], 'no holder')).toMatchObject({ tested: 0, averageTaxBps: undefined, unfinished: 'no holder' })
  })

  test.each([
    [
      'late',
      [sell({ since: 10 }), sell({ since: 20 }), refused({ since: 30 }), refused({ since: 40 })],
      /^they came after 1970/,
    ],
    [
      'early',
      [sell({ since: 30 }), sell({ since: 40 }), refused({ since: 10 }), refused({ since: 20 })],
      /^they came before 1970/,
    ],
    [
      'rich',
      [sell({}), sell({}), refused({ balance: 500n }), refused({ balance: 600n })],
      /^they have more than 100 base/,
    ],
    ['poor', [sell({}), sell({}), refused({ balance: 5n }), refused({ balance: 6n })], /^they have less than 100 base/],
    ['all', [refused(), refused()], /^no holder that was tried can sell$/],
  ] as const)('those who are refused are %s', (_, sells, words) => {
    expect(analyse(sells).distinction).toMatch(words)
  })

  test('one of a kind, or a mixture, distinguishes nothing', () => {
    expect(analyse([sell({}), sell({}), refused({ since: 1 })]).distinction).toBeUndefined()
    expect(analyse([sell({}), sell({}), refused(), refused()]).distinction).toBeUndefined()
    expect(analyse([sell({})]).distinction).toBeUndefined()
  })
})

describe('keyed slots', () => {
  const [me, you] = [person(70), person(71)]

  test('finds the mappings that were asked, and where another person stands in them', () => {
    const reads = new Set([3n, mappingSlot(4n, me), nestedMappingSlot(5n, me, ROUTER), mappingSlot(6n, you)])
    const keyed = findKeyedSlots(reads, me, ROUTER)
    expect(keyed).toEqual({ bases: [4n], nestedBases: [5n] })
    expect(slotsOf(keyed, you, ROUTER)).toEqual([mappingSlot(4n, you), nestedMappingSlot(5n, you, ROUTER)])
  })

  test('without a spender there are no allowances to look for', () => {
    expect(findKeyedSlots(new Set([mappingSlot(0n, me)]), me, undefined)).toEqual({ bases: [0n], nestedBases: [] })
  })
})
