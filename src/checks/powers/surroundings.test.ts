import { describe, expect, test } from 'vitest'
import type { HolderAnalysis } from '../holders/report.js'
import type { LiquidityHolder, LiquidityReport } from '../liquidity/report.js'
import { HOLDER_SCORES, judgePowers, PULL_SCORE, scoreOfHolders } from './verdict.js'

const trade = { riskScore: 0, isHoneypot: false, isTimeHoneypot: false, inconclusive: undefined }
const nothing = { trade, sweep: undefined, reviewed: false }

const holders = (tested: number, failed: number, siphoned = 0): HolderAnalysis => ({
  ...{ holders: 100, tested, successful: tested - failed, failed, siphoned },
  ...{ averageTaxBps: 0, highestTaxBps: 0, reasons: [], distinction: undefined, unfinished: undefined },
})

const NOW = 1_800_000_000
const holder = (shareBps: number, fields: Partial<LiquidityHolder> = {}): LiquidityHolder => ({
  ...{ address: `0x${shareBps.toString(16).padStart(40, '0')}`, kind: 'account', shareBps },
  ...{ service: undefined, withdrawableAt: NOW, ...fields },
})
const liquidity = (...of: LiquidityHolder[]): LiquidityReport => ({
  ...{ venue: 'Uniswap V2', pool: '0x', depth: 1n, holders: of, burntBps: 0, lockedBps: 0, unknownBps: 0, unlocks: [] },
  ...{ withdrawableBps: { now: 0, in24h: 0, in7d: 0 }, unfinished: undefined },
})

describe('what became of holders', () => {
  test.each([
    ['all can sell', holders(12, 0), 0],
    ['one of twelve cannot', holders(12, 1), 20],
    ['three of twelve cannot', holders(12, 3), 60],
    ['half of them cannot', holders(12, 6), 95],
    ['two of two cannot, which is few', holders(2, 2), 60],
    ['three were emptied', holders(3, 0, 3), 95],
    ['nobody was tried', holders(0, 0), 0],
  ] as const)('%s', (_, analysis, score) => {
    expect(scoreOfHolders(analysis)).toBe(score)
    const judged = judgePowers({ ...nothing, holders: analysis })
    expect(judged.riskScore).toBe(score)
    expect(judged.humanWarning.includes('could not sell')).toBe(score > 0)
  })

  test('what was not seen to the end is no better than what it may hide', () => {
    const judge = (unfinished: string | undefined, reviewed = false) =>
      judgePowers({ ...nothing, reviewed, holders: { ...holders(0, 0), unfinished } })
    expect(judge('the time for the holders was over')).toMatchObject({ riskScore: 45, trustStatus: 'Medium Risk' })
    expect(judge('the time for the holders was over').humanWarning).toContain('Not all holders could be tried')
    expect(judge('the time for the holders was over', true).riskScore).toBe(15)
    expect(judge(undefined).riskScore).toBe(0)
  })

  test('the rows are in order', () => {
    const scores = HOLDER_SCORES.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })
})

describe('who can pull the liquidity', () => {
  test.each([
    ['half in one hand', liquidity(holder(5_000)), PULL_SCORE],
    ['many hands', liquidity(holder(3_000), holder(2_900)), 0],
    ['a lock that opened', liquidity(holder(9_000, { kind: 'locker' })), 0],
    ['burnt', liquidity(holder(9_000, { kind: 'burnt', withdrawableAt: undefined })), 0],
    ['a lock with a way around it', liquidity(holder(9_000, { kind: 'contract' })), PULL_SCORE],
    [
      'a little now, a lock for the rest',
      liquidity(holder(1_000), holder(9_000, { kind: 'locker', withdrawableAt: NOW + 9 })),
      0,
    ],
  ] as const)('%s', (_, report, score) => {
    expect(judgePowers({ ...nothing, liquidity: report }).riskScore).toBe(score)
  })

  test('nobody knows: it may be one hand', () => {
    const unknown = { ...liquidity(), unknownBps: 5_000 }
    expect(judgePowers({ ...nothing, liquidity: unknown })).toMatchObject({ riskScore: PULL_SCORE })
    expect(judgePowers({ ...nothing, liquidity: unknown }).humanWarning).toContain('not known who has 50 %')
    expect(judgePowers({ ...nothing, liquidity: { ...unknown, unknownBps: 4_900 } }).riskScore).toBe(0)
  })

  test('of a well-known token it is nobody’s surprise', () => {
    expect(judgePowers({ ...nothing, liquidity: liquidity(holder(9_000)), reviewed: true }).riskScore).toBe(0)
  })
})
