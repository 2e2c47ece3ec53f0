import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PowersReport } from './check-powers.js'
import type { Reach } from './gravity.js'
import { type EffectKind, HOLDER_KINDS, type Holder, type Power } from './power.js'
import { type Grip, gripOf, judgePowers, POWER_SCORES, scoreOfPower, statusOf } from './verdict.js'

const account: Holder = { kind: 'account', address: '0x01', delaySeconds: 0, isHidden: false }
const HOLDERS: Record<Grip, Holder> = {
  anyone: { ...account, kind: 'anyone' },
  hidden: { ...account, isHidden: true },
  hand: account,
  contract: { ...account, kind: 'contract' },
  slow: { ...account, kind: 'multisig', threshold: 2, owners: 3 },
  unknown: { ...account, kind: 'unknown' },
  nobody: { ...account, kind: 'renounced' },
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
const sweep = (...powers: Power[]): PowersReport => ({
  powers,
  effort: { calls: 1, trades: 1 },
  unfinished: undefined,
})
const FAIR = { riskScore: 0, isHoneypot: false, isTimeHoneypot: false, inconclusive: undefined }

describe('the table of powers', () => {
  const rows = Object.entries(EFFECTS).flatMap(([reach, { effect, lossBps }]) =>
    Object.entries(HOLDERS).map(([grip, holder]) => ({
      ...{ reach: reach as Reach, grip: grip as Grip, one: power(effect, lossBps, holder) },
    })),
  )

  test.each(rows)('$reach in the hands of $grip', ({ reach, grip, one }) => {
    const score = POWER_SCORES[reach][grip]
    expect(scoreOfPower(one)).toBe(score)
    const { riskScore, trustStatus } = judgePowers({ trade: FAIR, sweep: sweep(one), reviewed: false })
    expect({ riskScore, trustStatus }).toEqual({ riskScore: score, trustStatus: statusOf(score) })
  })

  test('says in words what the numbers mean', () => {
    const words = (reach: Reach) =>
      Object.fromEntries(Object.keys(HOLDERS).map((grip) => [grip, statusOf(POWER_SCORES[reach][grip as Grip])]))
    expect(words('total')).toEqual({
      ...{ anyone: 'Critical Risk', hidden: 'Critical Risk', hand: 'High Risk', contract: 'High Risk' },
      ...{ slow: 'Low Risk', unknown: 'Medium Risk', nobody: 'Safe' },
    })
    expect(words('regulating')).toEqual({
      ...{ anyone: 'Critical Risk', hidden: 'High Risk', hand: 'Medium Risk', contract: 'Medium Risk' },
      ...{ slow: 'Low Risk', unknown: 'Low Risk', nobody: 'Safe' },
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

describe('the judgement', () => {
  test('of a trap that has closed is not made kinder by harmless powers', () => {
    const trade = { ...FAIR, riskScore: 100, isHoneypot: true }
    expect(judgePowers({ trade, sweep: sweep(power('none', 0)), reviewed: true })).toMatchObject({
      riskScore: 100,
      trustStatus: 'Critical Risk',
    })
  })

  test('of a later window that is hostile is critical, whatever holds now', () => {
    const trade = { ...FAIR, isTimeHoneypot: true }
    expect(judgePowers({ trade, sweep: sweep(), reviewed: false }).trustStatus).toBe('Critical Risk')
  })

  test('of trading that proved nothing is no better than Medium Risk, and blames nobody', () => {
    const trade = { ...FAIR, inconclusive: 'No liquidity' }
    expect(judgePowers({ trade, sweep: undefined, reviewed: false })).toEqual({
      ...{ riskScore: 0, trustStatus: 'Medium Risk', humanWarning: 'Trading proved nothing: No liquidity.' },
    })
  })

  test('of a reviewed token is calm about its powers, and not about what anybody can do', () => {
    const of = (one: Power) => judgePowers({ trade: FAIR, sweep: sweep(one), reviewed: true }).trustStatus
    expect(of(power('burns-balance', 10_000))).toBe('Low Risk')
    expect(of(power('mints', 9_999, HOLDERS.anyone))).toBe('Critical Risk')
  })

  test('names who, what, with which call, and how it is known', () => {
    const proof = { steps: [{ from: '0x01', to: '0x02', input: '0x69fe0e2d' }], outcome: 'sells were refused' } as const
    const one = { ...power('raises-tax', 9_900), proof: { ...proof, steps: [...proof.steps] } }
    expect(judgePowers({ trade: FAIR, sweep: sweep(one), reviewed: false }).humanWarning).toBe(
      "One person's account 0x01 can raise the sell tax to 99 % with one call (0x69fe0e2d), as was tried on a copy of the chain: it happened.",
    )
  })

  test('is never kinder for a sweep that did not finish', () => {
    const effects = fc.constantFrom(...Object.values(EFFECTS))
    const holders = fc.constantFrom(...Object.values(HOLDERS))
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        effects,
        holders,
        fc.boolean(),
        (riskScore, { effect, lossBps }, holder, reviewed) => {
          const whole = sweep(power(effect, lossBps, holder))
          const judge = (unfinished: string | undefined) =>
            judgePowers({ trade: { ...FAIR, riskScore }, sweep: { ...whole, unfinished }, reviewed }).riskScore
          expect(judge('time was over')).toBeGreaterThanOrEqual(judge(undefined))
          if (!reviewed) expect(judge('time was over')).toBeGreaterThanOrEqual(45)
        },
      ),
    )
  })
})
