import { describe, expect, test } from 'vitest'
import type { HolderAnalysis } from '../../checks/holders/holders-report.js'
import { HOLDER_SCORES } from '../../checks/holders/holders-score.js'
import type { LiquidityHolder, LiquidityReport } from '../../checks/liquidity/liquidity-report.js'
import { PULL_SCORE } from '../../checks/liquidity/liquidity-score.js'
import type { PowersReport } from '../../checks/powers/check-powers.js'
import type { EffectKind, Holder, Power } from '../../checks/powers/power.js'
import { judge } from '../verdict.js'
import { doubtsOfSurroundings, findInHolders, findInLiquidity, findInPowers } from './surroundings.js'

const SELECTOR = '0x69fe0e2d'
const account: Holder = { kind: 'account', address: '0x01', delaySeconds: 0, isHidden: false }
const power = (effect: EffectKind, fields: Partial<Power> = {}): Power => ({
  ...{
    contract: '0x02',
    selector: SELECTOR,
    argumentTypes: 'uint256',
    holder: account,
    effect,
    lossBps: 10_000,
    tried: 1,
  },
  ...{ worstCase: 'it happened', isBounded: false, isReversible: undefined, proof: undefined, ...fields },
})
const sweep = (...powers: Power[]): PowersReport => ({
  ...{ powers, guards: [], effort: { calls: 1, trades: 1 }, unfinished: undefined },
})
const NONE = new Set<string>()

describe('what privileged roles can do', () => {
  test('is told without addresses or functions, and with how it is known', () => {
    const proof = { steps: [{ from: '0x01', to: '0x02', input: SELECTOR }], outcome: 'x' } as const
    const one = power('raises-tax', { lossBps: 9_900, proof: { ...proof, steps: [...proof.steps] } })
    expect(findInPowers(sweep(one), NONE)).toEqual([
      {
        ...{ id: 'privileges/raises-tax', basis: 'possible', score: 80, headline: 'The sell tax can be raised.' },
        reason: 'One wallet can raise the sell tax to 99 %, as was shown on a copy of the chain.',
      },
    ])
  })

  test('by anyone is no public knowledge about an issuer', () => {
    const [open] = findInPowers(sweep(power('mints', { holder: { ...account, kind: 'anyone' } })), NONE)
    expect(open).toMatchObject({ basis: 'observed', score: 95 })
  })

  test('counts as untried where every call was refused and the code is suspected, and not where it is not', () => {
    const silent = sweep(power('untried', { lossBps: 0, tried: 7 }))
    expect(findInPowers(silent, new Set([SELECTOR]))[0]?.score).toBe(35)
    expect(findInPowers(silent, NONE)[0]?.score).toBeLessThan(10)
  })

  test('counts as untried where no holder was found to try it as', () => {
    expect(findInPowers(sweep(power('untried', { lossBps: 0, tried: 0 })), NONE)[0]?.score).toBe(35)
  })

  test('that was not tried to the end leaves a doubt of ours', () => {
    const parts = { holderAnalysis: undefined, liquidity: undefined, isBusy: false }
    expect(doubtsOfSurroundings({ sweep: { ...sweep(), unfinished: 'time' }, ...parts })).toMatchObject([
      { isOurs: true },
    ])
    expect(doubtsOfSurroundings({ sweep: sweep(), ...parts })).toEqual([])
  })
})

const holders = (tested: number, failed: number, siphoned = 0, ruined = 0): HolderAnalysis => ({
  ...{ holders: 100, tested, successful: tested - failed - ruined, ruined, failed, siphoned },
  ...{ averageTaxBps: 0, highestTaxBps: 0, reasons: [], known: [], distinction: undefined, unfinished: undefined },
})

describe('what became of holders', () => {
  test.each([
    ['all can sell', holders(12, 0), 0],
    ['one of twelve cannot', holders(12, 1), 20],
    ['three of twelve cannot', holders(12, 3), 60],
    ['half of them cannot', holders(12, 6), 95],
    ['two of two cannot, which is few', holders(2, 2), 60],
    ['three were emptied', holders(3, 0, 3), 95],
    ['half of them lost most of it', holders(12, 0, 0, 6), 95],
    ['none was tried', holders(0, 0), 0],
  ] as const)('%s', (_, analysis, score) => {
    expect(findInHolders(analysis).map((found) => found.score)).toEqual(score === 0 ? [] : [score])
  })

  test('what was not seen to the end is a doubt', () => {
    const holderAnalysis = { ...holders(0, 0), unfinished: 'the time for the holders was over' }
    const doubts = doubtsOfSurroundings({ sweep: undefined, holderAnalysis, liquidity: undefined, isBusy: false })
    expect(judge({ findings: [], doubts, reviewed: false, calm: { headline: '', reason: '' } })).toMatchObject({
      ...{ level: 'Medium Risk', score: 45, inconclusive: expect.stringContaining('its holders') },
    })
  })

  test('programs are told where that was the machine, and only there', () => {
    const holderAnalysis = { ...holders(0, 0), unfinished: 'the time for the holders was over' }
    const parts = { sweep: undefined, holderAnalysis, liquidity: undefined }
    const verdictOf = (isBusy: boolean) => {
      const doubts = doubtsOfSurroundings({ ...parts, isBusy })
      return judge({ findings: [], doubts, reviewed: false, calm: { headline: '', reason: '' } })
    }
    expect(verdictOf(true)).toMatchObject({ score: 45, inconclusiveCode: 'machine_busy' })
    expect(verdictOf(false)).not.toHaveProperty('inconclusiveCode')
  })

  test('the rows are in order', () => {
    const scores = HOLDER_SCORES.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })
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

describe('who can pull the liquidity', () => {
  test.each([
    ['half in one hand', liquidity(holder(5_000)), [PULL_SCORE]],
    ['many hands', liquidity(holder(3_000), holder(2_900)), []],
    ['a lock that opened', liquidity(holder(9_000, { kind: 'locker' })), []],
    ['burnt', liquidity(holder(9_000, { kind: 'burnt', withdrawableAt: undefined })), []],
    ['a lock with a way around it', liquidity(holder(9_000, { kind: 'contract' })), [PULL_SCORE]],
    [
      'a little now, a lock for the rest',
      liquidity(holder(1_000), holder(9_000, { kind: 'locker', withdrawableAt: NOW + 9 })),
      [],
    ],
  ] as const)('%s', (_, report, scores) => {
    expect(findInLiquidity(report).map(({ score }) => score)).toEqual(scores)
  })

  test('where it is not known, it may be one hand', () => {
    const unknown = { ...liquidity(), unknownBps: 5_000 }
    expect(findInLiquidity(unknown)[0]).toMatchObject({ score: PULL_SCORE, reason: expect.stringContaining('50 %') })
    expect(findInLiquidity({ ...unknown, unknownBps: 4_900 })).toEqual([])
  })
})
