import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { levelOf, TRUST_STATUSES } from '../checks/levels.js'
import { type ADVICE, adviceOf } from './advice.js'
import { type Doubt, judge } from './verdict.js'

const calm = { headline: 'c', reason: 'c' }
const doubt = (isOurs: boolean): Doubt => ({ headline: 'd', reason: 'not seen', isOurs })
const finding = (score: number) => ({ id: 'f', basis: 'observed' as const, score, headline: 'h', reason: 'r' })
const advise = (scores: readonly number[], doubts: readonly Doubt[] = [], isToken = true, reviewed = false) =>
  adviceOf(judge({ findings: scores.map(finding), doubts, reviewed, calm }), { isToken })

test.each([
  ['nothing was found', [], [], 'No trap found'],
  ['a small cost was found', [20], [], 'No trap found'],
  ['a capability was found', [40], [], 'Be careful'],
  ['harm that one wallet can do was found', [75], [], 'Do not buy'],
  ['harm was found', [100], [], 'Do not buy'],
  ['there is no market', [], [doubt(false)], 'Not known'],
  ['a small cost was found and no market', [20], [doubt(false)], 'Not known'],
  ['a capability was found, and something was not seen', [40], [doubt(false)], 'Be careful'],
  ['our work did not finish', [], [doubt(true)], 'Not known'],
  ['our work did not finish, and worse than that was found', [60], [doubt(true)], 'Be careful'],
  ['our work did not finish, and harm was found', [95], [doubt(true)], 'Do not buy'],
] as const)('%s', (_case, scores, doubts, advice) => {
  expect(advise(scores, doubts)).toBe(advice)
})

test('what is no token is not bought', () => {
  expect(advise([95], [], false)).toBe('Do not use')
  expect(advise([], [], false)).toBe('No trap found')
})

test('a widely used contract without a market stays calm', () => {
  expect(advise([], [doubt(false)], true, true)).toBe('No trap found')
})

describe('whatever was found', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 4 })
  const doubts = fc.array(fc.boolean().map(doubt), { maxLength: 2 })

  test('one finding more never makes the advice kinder', () => {
    // `Not known` is no kinder than `Be careful`: neither lets a person buy.
    const rank = (advice: (typeof ADVICE)[number]) =>
      advice.startsWith('Do not') ? 2 : advice === 'No trap found' ? 0 : 1
    fc.assert(
      fc.property(scores, doubts, fc.integer({ min: 0, max: 100 }), (found, unseen, more) => {
        expect(rank(advise([...found, more], unseen))).toBeGreaterThanOrEqual(rank(advise(found, unseen)))
      }),
    )
  })

  test('the advice to buy is given for calm levels alone', () => {
    fc.assert(
      fc.property(scores, doubts, (found, unseen) => {
        const { level } = judge({ findings: found.map(finding), doubts: unseen, reviewed: false, calm })
        expect(advise(found, unseen) === 'No trap found').toBe(TRUST_STATUSES.indexOf(level) <= 1)
        expect(levelOf(0)).toBe('Safe')
      }),
    )
  })
})
