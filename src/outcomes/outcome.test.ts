import { describe, expect, test } from 'vitest'
import { DAY_MS, lookBack, nextLookOf, outcomeOf, type Sight } from './outcome.js'
import { statsOf } from './outcome-stats.js'
import { followedOf } from './outcome-store.conformance.js'

const BEFORE: Sight = { isTrap: false, sellTaxBps: 100, depth: 1_000n, pool: { name: 'pool', tokens: 1_000n } }
const changed = (change: Partial<Sight>): Sight => ({ ...BEFORE, ...change })

test.each<[string, Partial<Sight>]>([
  ['shut', { isTrap: true }],
  ['drained', { depth: 99n, pool: { name: 'pool', tokens: 99n } }],
  ['drained', { depth: 0n, pool: undefined }],
  ['drained', { depth: 99n, pool: { name: 'another', tokens: 9_000n } }],
  ['sold-out', { depth: 99n, pool: { name: 'pool', tokens: 10_000n } }],
  ['taxed', { sellTaxBps: 5_000 }],
  ['fine', { sellTaxBps: 4_999 }],
  ['fine', { depth: 100n }],
  ['fine', { depth: 900n, pool: { name: 'another', tokens: 1n } }],
])('%s after %o', (outcome, change) => {
  expect(outcomeOf(BEFORE, changed(change))).toBe(outcome)
})

test('a tax that was harsh already when the verdict was given is no harm that came', () => {
  const harsh = changed({ sellTaxBps: 6_000 })
  expect(outcomeOf(harsh, harsh)).toBe('fine')
})

describe('looking back', () => {
  const known = followedOf(0, { sight: BEFORE })
  const at = (days: number) => known.judgedAt + days * DAY_MS

  test('harm counts from the day it was seen, and stays though it is undone', () => {
    const shut = lookBack(known, at(3), changed({ isTrap: true }))
    expect(shut).toMatchObject({ harm: 'shut', harmAt: at(3), seen: {} })
    const open = lookBack(shut, at(7), BEFORE)
    expect(open).toMatchObject({ harm: 'shut', harmAt: at(3), seen: { 7: 'shut' } })
    expect(lookBack(open, at(30), BEFORE).seen).toEqual({ 7: 'shut', 30: 'shut' })
  })

  test('what stayed harmless is fine after each time, and then there is nothing left to see', () => {
    const week = lookBack(known, at(8), BEFORE)
    expect([week.seen, nextLookOf(week)]).toEqual([{ 7: 'fine', 30: undefined }, at(30)])
    const month = lookBack(week, at(31), BEFORE)
    expect([month.seen, nextLookOf(month)]).toEqual([{ 7: 'fine', 30: 'fine' }, undefined])
  })

  test('harm that came between is of the later time alone', () => {
    const week = lookBack(known, at(7), BEFORE)
    expect(lookBack(week, at(20), changed({ depth: 0n }))).toMatchObject({ harm: 'drained', seen: { 7: 'fine' } })
  })

  test('what was not seen in time is unknown, and an analysis that shows nothing settles nothing', () => {
    expect(lookBack(known, at(8), undefined).seen).toEqual({ 7: undefined, 30: undefined })
    expect(lookBack(known, at(10), undefined).seen).toEqual({ 7: 'unknown', 30: undefined })
    expect(lookBack(known, at(10), BEFORE).seen).toEqual({ 7: 'unknown', 30: undefined })
  })
})

test('precision and recall are of tokens that could be sold, and whose outcome is known', () => {
  const row = (
    level: 'Safe' | 'High Risk',
    seen: 'fine' | 'shut' | 'drained' | 'unknown',
    count: number,
    wasTrap = false,
  ) => ({ level, wasTrap, seen: { 7: seen, 30: undefined }, count }) as const
  const { followed, stages } = statsOf([
    row('High Risk', 'shut', 3),
    row('High Risk', 'fine', 1),
    row('Safe', 'drained', 2),
    row('Safe', 'fine', 10),
    row('Safe', 'unknown', 4),
    row('High Risk', 'shut', 50, true),
    row('High Risk', 'fine', 2, true),
  ])
  expect(followed).toBe(72)
  expect(stages[0]).toMatchObject({
    ...{ days: 7, warned: 4, warnedRightly: 3, harmed: 5, precision: 0.75, recall: 0.6 },
    traps: { followed: 52, stillHarmful: 50 },
    unknown: 4,
  })
  expect(stages[0]?.levels[0]).toEqual({ level: 'Safe', fine: 10, taxed: 0, shut: 0, drained: 2, 'sold-out': 0 })
  expect(stages[1]).toMatchObject({ days: 30, warned: 0, precision: undefined, recall: undefined })
})
