import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../checks/finding.js'
import { LEAST_SCORES, levelOf, TRUST_STATUSES } from '../checks/levels.js'
import { type Doubt, judge, REVIEWED_SCORE, UNFINISHED_SCORE } from './verdict.js'

const calm = { headline: 'Calm.', reason: 'Nothing was found.' }
const finding = (score: number, fields: Partial<Finding> = {}): Finding => ({
  ...{ id: 'a/b', basis: 'possible', score, headline: `Headline ${score}.`, reason: `Reason ${score}.` },
  ...fields,
})
const doubt = (isOurs: boolean): Doubt => ({ headline: 'Not known.', reason: 'It was not seen.', isOurs })
const judgeOf = (findings: Finding[], doubts: Doubt[] = [], reviewed = false) =>
  judge({ findings, doubts, reviewed, calm })

describe('the table of levels', () => {
  test.each(TRUST_STATUSES.map((level) => [level, LEAST_SCORES[level]] as const))('%s begins at %i', (level, least) => {
    expect(levelOf(least)).toBe(level)
    if (least > 0) expect(levelOf(least - 1)).not.toBe(level)
    expect(judgeOf([finding(least)])).toMatchObject({ level, score: least })
  })
})

describe('the verdict', () => {
  test('of nothing is calm, and says so', () => {
    expect(judgeOf([])).toEqual({
      ...{ level: 'Safe', score: 0, ...calm, inconclusive: undefined, isUnfinished: false },
    })
  })

  test('is that of the worst finding, which is told first', () => {
    const { level, headline, reason } = judgeOf([finding(40), finding(95), finding(12)])
    expect({ level, headline }).toEqual({ level: 'Critical Risk', headline: 'Headline 95.' })
    expect(reason).toBe('Reason 95. Reason 40. Reason 12.')
  })

  test('does not tell of what is nothing to worry about', () => {
    expect(judgeOf([finding(9)])).toMatchObject({ level: 'Safe', score: 9, ...calm })
  })

  test('of what could not be traded is Medium Risk without guilt', () => {
    expect(judgeOf([], [doubt(false)])).toEqual({
      ...{ level: 'Medium Risk', score: 0, headline: 'Not known.', reason: 'It was not seen.' },
      inconclusive: 'It was not seen.',
      isUnfinished: false,
    })
  })

  test('of our unfinished work is inconclusive, and no lower than what it may hide', () => {
    expect(judgeOf([finding(12)], [doubt(true)])).toMatchObject({
      ...{ level: 'Medium Risk', score: UNFINISHED_SCORE, inconclusive: 'It was not seen.' },
    })
    expect(judgeOf([finding(80)], [doubt(true)])).toMatchObject({
      level: 'High Risk',
      score: 80,
      headline: 'Headline 80.',
    })
  })

  test('of a reviewed contract is calm about what is possible, and not about what was observed', () => {
    expect(judgeOf([finding(80)], [], true)).toMatchObject({ level: 'Low Risk', score: REVIEWED_SCORE })
    expect(judgeOf([finding(95, { basis: 'observed' })], [], true)).toMatchObject({ level: 'Critical Risk', score: 95 })
    expect(judgeOf([], [doubt(false)], true).level).toBe('Safe')
    expect(judgeOf([], [doubt(true)], true).level).toBe('Medium Risk')
  })
})

const findings = fc.array(
  fc.record({ score: fc.nat({ max: 100 }), basis: fc.constantFrom('observed' as const, 'possible' as const) }),
  { maxLength: 6 },
)
const doubts = fc.array(fc.boolean().map(doubt), { maxLength: 3 })
const rank = (level: (typeof TRUST_STATUSES)[number]) => TRUST_STATUSES.indexOf(level)

test('one more finding, or one more doubt, never makes the verdict kinder', () => {
  fc.assert(
    fc.property(findings, doubts, fc.nat({ max: 100 }), fc.boolean(), (found, doubted, score, reviewed) => {
      const all = found.map((each) => finding(each.score, each))
      const before = judgeOf(all, doubted, reviewed)
      const more = [
        judgeOf([...all, finding(score)], doubted, reviewed),
        judgeOf(all, [...doubted, doubt(score % 2 === 0)], reviewed),
      ]
      for (const after of more) {
        expect(after.score).toBeGreaterThanOrEqual(before.score)
        expect(rank(after.level)).toBeGreaterThanOrEqual(rank(before.level))
      }
    }),
  )
})

test('every doubt makes the verdict inconclusive, and no better than Medium Risk unless the contract is well known', () => {
  fc.assert(
    fc.property(findings, fc.boolean(), (found, isOurs) => {
      const { level, inconclusive } = judgeOf(
        found.map((each) => finding(each.score, each)),
        [doubt(isOurs)],
      )
      expect(inconclusive).toBeDefined()
      expect(rank(level)).toBeGreaterThanOrEqual(rank('Medium Risk'))
    }),
  )
})
