import { expect, test } from 'vitest'
import type { LaterTrade, WindowVerdict } from '../../checks/honeypot/score.js'
import { findInTrade, type TradeFacts } from './trade.js'

const calm: WindowVerdict = {
  ...{ label: 'Immediate', buyTaxBps: 0, sellTaxBps: 0, riskScore: 0 },
  ...{ isHostile: false, sells: 'whole', errorReason: '' },
}

const found = (later: LaterTrade | undefined) => {
  const trade: TradeFacts = {
    ...{ windows: [calm], later, findings: [], isHoneypot: false, isTimeHoneypot: later?.isHostile ?? false },
    ...{ riskScore: later?.riskScore ?? 0, doubt: undefined, unfinished: undefined },
  }
  return findInTrade(trade, undefined)
}

test.each<[string, Partial<LaterTrade>, object]>([
  [
    'of less than half',
    { sellTaxBps: 4_500, riskScore: 83 },
    {
      headline: 'It will cost more to trade.',
      reason: 'Trading costs less now; in 7 days it keeps 0 % of a purchase and 45 % of a sale.',
    },
  ],
  ['of a sale in parts', { sells: 'in-parts', riskScore: 60 }, { headline: 'It will be harder to sell.' }],
  [
    'of nearly all',
    { sellTaxBps: 9_500, riskScore: 99, isHostile: true },
    {
      headline: 'It cannot be sold later.',
      reason: 'It can be sold now; in 7 days, selling costs 95 %.',
    },
  ],
])('a loss to come, %s, is told with its moment and its score', (_, changes, words) => {
  const later = { ...calm, label: '7 Days', ...changes } as const
  expect(found(later)).toMatchObject([{ score: later.riskScore, ...words }])
})

test('a moment that no window shows is named as one of the code', () => {
  const { label: _, ...moment } = { ...calm, sellTaxBps: 3_000, riskScore: 58 }
  expect(found(moment)[0]?.reason).toContain('at a moment that its code names it keeps')
})

test.each([undefined, { ...calm, sellTaxBps: 300, riskScore: 6 }])('a little more is usual, and not told', (later) =>
  expect(found(later)).toEqual([]),
)
