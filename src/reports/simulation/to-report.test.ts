import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleChecks, sampleHistory, sampleSimulate } from '../../../test/http/sample-checks.js'
import { findChain } from '../../chains/index.js'
import type { HistoryReport } from '../../checks/history/history-report.js'
import type { TradeReport } from '../../checks/trade/trade-report.js'
import type { Address } from '../../hex.js'
import { toSimulationReport } from './to-report.js'

const chain = findChain(1) ?? expect.unreachable()
const context = { chain, engineVersion: '1.2.3', now: 0 }
const verdict = {
  level: 'Safe',
  score: 0,
  headline: '',
  reason: '',
  inconclusive: undefined,
  isUnfinished: false,
} as const
const reportOn = (checks: Partial<typeof sampleChecks>) =>
  toSimulationReport({ simulation: { ...sampleChecks, ...checks }, verdict, isWhole: true }, context)
const simulateResult = (report: Partial<TradeReport>) =>
  reportOn({ trade: { ...sampleSimulate, ...report } }).checks.simulateResult
const history = (report: Partial<HistoryReport>) =>
  reportOn({ history: { ...sampleHistory, ...report } }).checks.transactionHistoryResult

describe('taxes', () => {
  test.each([
    [0, 0, '0'],
    [500, 800, '8'],
    [90, 0, '0.9'],
    [1, 0.4, '0.01'],
    [10_000, undefined, '100'],
    [undefined, 1_234.56, '12.35'],
    [undefined, undefined, '0'],
  ])('buy %s and sell %s basis points are an estimated tax of %s percent', (buyTaxBps, sellTaxBps, expected) => {
    expect(simulateResult({ buyTaxBps, sellTaxBps }).estimatedTax).toBe(expected)
  })

  test('what was not measured is null, not zero', () => {
    expect(simulateResult({ buyTaxBps: undefined, sellTaxBps: 0 })).toMatchObject({ buyTax: null, sellTax: '0' })
  })
})

describe('allowances', () => {
  const OWNER: Address = '0x00000000000000000000000000000000000000aa'
  const change = (delta: bigint) => ({ token: OWNER, owner: OWNER, spender: OWNER, delta })

  test.each([96n, 128n, 160n, 256n])('the largest value of uint%d is Unlimited', (bits) => {
    expect(simulateResult({ allowanceChanges: [change(1n), change(2n ** bits - 1n)] })).toMatchObject({
      allowanceChanged: true,
      allowanceDelta: 'Unlimited',
    })
  })

  test.each([
    [[], false, '0'],
    [[5n, 70n, 6n], true, '70'],
    [[-5n, -70n], true, '-5'],
    [[2n ** 256n - 2n], true, String(2n ** 256n - 2n)],
  ] as const)('%s', (deltas, allowanceChanged, allowanceDelta) => {
    expect(simulateResult({ allowanceChanges: deltas.map(change) })).toMatchObject({ allowanceChanged, allowanceDelta })
  })
})

describe('profit', () => {
  test.each([
    [1n, true],
    [0n, false],
    [-1n, false],
  ])('a change of %d wei: %s', (nativeDelta, isProfit) => {
    expect(simulateResult({ nativeDelta })).toMatchObject({ isProfit, ethDelta: String(nativeDelta) })
  })

  test('62: amounts beyond 2^53 keep every digit', () => {
    expect(simulateResult({ tokenDelta: -(2n ** 256n) + 1n }).tokenDelta).toBe(String(-(2n ** 256n) + 1n))
  })
})

describe('transfers', () => {
  const amountOf = (value: bigint, decimals: number | undefined) =>
    history({ decimals, recentTransfers: [{ ...transfer(), value }] }).recentTransfers[0]?.amount
  const transfer = () => sampleHistory.recentTransfers[0] ?? expect.unreachable()

  test.each([
    [1_500_000n, 6, '1.5'],
    [1n, 18, '0.000000000000000001'],
    [10n ** 18n, 18, '1'],
    [0n, 18, '0'],
    [42n, 0, '42'],
    [42n, undefined, '42'],
    [42n, 255, '42'],
    [42n, -1, '42'],
    [2n ** 256n - 1n, 77, '1.15792089237316195423570985008687907853269984665640564039457584007913129639935'],
  ])('%d with %s decimals is %s', (value, decimals, expected) => {
    expect(amountOf(value, decimals)).toBe(expected)
  })

  test('an amount is exact for any value and any decimals', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.integer({ min: 1, max: 77 }), (value, decimals) => {
        const [whole = '', fraction = ''] = amountOf(value, decimals)?.split('.') ?? []
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(value)
      }),
    )
  })

  test('at most ten, newest first, as the check gave them', () => {
    const recentTransfers = Array.from({ length: 12 }, (_, i) => ({ ...transfer(), logIndex: i }))
    expect(history({ recentTransfers }).recentTransfers.map(({ logIndex }) => logIndex)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
  })

  test.each([Number.NaN, 1e20, -1e20])('a time that no calendar has (%d) is no date, and no failure', (timestamp) => {
    expect(history({ recentTransfers: [{ ...transfer(), timestamp }] }).recentTransfers[0]?.date).toBe('')
  })

  test('a look-up that failed has no pulse, whatever the check says', () => {
    expect(history({ success: false, activityPulse: 'Active' }).activityPulse).toBeNull()
    expect(history({ success: true, activityPulse: undefined }).activityPulse).toBeNull()
  })
})
