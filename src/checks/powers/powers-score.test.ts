import { describe, expect, test } from 'vitest'
import { levelOf } from '../levels.js'
import type { Reach } from './gravity.js'
import { type EffectKind, HOLDER_KINDS, type Holder, type Power } from './power.js'
import { type Grip, gripOf, POWER_SCORES, scoreOfPower } from './powers-score.js'

const account: Holder = { kind: 'account', address: '0x01', delaySeconds: 0, isHidden: false }
const HOLDERS: Record<Grip, Holder> = {
  anyone: { ...account, kind: 'anyone' },
  hidden: { ...account, isHidden: true },
  hand: account,
  contract: { ...account, kind: 'contract' },
  slow: { ...account, kind: 'multisig', threshold: 2, owners: 3 },
  unknown: { ...account, kind: 'unknown' },
  none: { ...account, kind: 'renounced' },
}
/** An effect for each row. */
const EFFECTS: Record<Reach, { effect: EffectKind; lossBps: number }> = {
  total: { effect: 'blocks-sells', lossBps: 10_000 },
  regulating: { effect: 'stops-trading', lossBps: 10_000 },
  partial: { effect: 'raises-tax', lossBps: 3_100 },
  small: { effect: 'raises-tax', lossBps: 700 },
  untried: { effect: 'untried', lossBps: 0 },
  nothing: { effect: 'none', lossBps: 0 },
}

const power = (effect: EffectKind, lossBps: number, holder: Holder = account): Power => ({
  ...{ contract: '0x02', selector: '0x69fe0e2d', argumentTypes: 'uint256', holder, effect, lossBps, tried: 1 },
  ...{ worstCase: 'it happened', isBounded: lossBps < 5_000, isReversible: undefined, proof: undefined },
})
describe('the table of powers', () => {
  const rows = Object.entries(EFFECTS).flatMap(([reach, { effect, lossBps }]) =>
    Object.entries(HOLDERS).map(([grip, holder]) => ({
      ...{ reach: reach as Reach, grip: grip as Grip, one: power(effect, lossBps, holder) },
    })),
  )

  test.each(rows)('$reach in the hands of $grip', ({ reach, grip, one }) => {
    expect(scoreOfPower(one)).toBe(POWER_SCORES[reach][grip])
  })

  test('says in words what the numbers mean', () => {
    const words = (reach: Reach) =>
      Object.fromEntries(Object.keys(HOLDERS).map((grip) => [grip, levelOf(POWER_SCORES[reach][grip as Grip])]))
    expect(words('total')).toEqual({
      ...{ anyone: 'Critical Risk', hidden: 'Critical Risk', hand: 'High Risk', contract: 'High Risk' },
      ...{ slow: 'Low Risk', unknown: 'Medium Risk', none: 'Safe' },
    })
    expect(words('regulating')).toEqual({
      ...{ anyone: 'Critical Risk', hidden: 'High Risk', hand: 'Medium Risk', contract: 'Medium Risk' },
      ...{ slow: 'Low Risk', unknown: 'Low Risk', none: 'Safe' },
    })
  })

  test('knows every kind of holder', () => {
    for (const kind of HOLDER_KINDS) expect(gripOf({ ...account, kind })).toBeTypeOf('string')
  })

  test('a delay below a day is one person`s hand', () => {
    const timelock = (delaySeconds: number) => gripOf({ ...account, kind: 'timelock', delaySeconds })
    expect([timelock(86_399), timelock(86_400)]).toEqual(['hand', 'slow'])
  })
})
