import { describe, expect, test } from 'vitest'
import { DAY_SECONDS, describePulse, pulseOf, WEEK_SECONDS } from './pulse.js'

const seen = (transfers: number, coveredSeconds: number, isComplete = true) => ({
  transfers,
  coveredSeconds,
  isComplete,
})

describe('pulseOf', () => {
  test.each([
    ['100 in a day', seen(100, DAY_SECONDS), seen(100, DAY_SECONDS), 'Very Active'],
    ['99 in a day', seen(99, DAY_SECONDS), seen(99, DAY_SECONDS), 'Active'],
    ['10 in a day', seen(10, DAY_SECONDS), seen(10, DAY_SECONDS), 'Active'],
    ['9 in a day', seen(9, DAY_SECONDS), seen(9, WEEK_SECONDS), 'Low Activity'],
    ['one six days ago', seen(0, DAY_SECONDS), seen(1, WEEK_SECONDS), 'Low Activity'],
    ['none in a week', seen(0, DAY_SECONDS), seen(0, WEEK_SECONDS), 'Dead / No Activity'],
    ['50 in a busy hour, the rest not given', seen(50, 3_600, false), seen(50, 3_600, false), 'Very Active'],
    ['none in a day, and no more was given', seen(0, DAY_SECONDS), seen(0, DAY_SECONDS, false), undefined],
    ['none in a week with holes', seen(0, DAY_SECONDS), seen(0, WEEK_SECONDS, false), undefined],
  ] as const)('%s', (_, day, week, pulse) => {
    expect(pulseOf(day, week)).toBe(pulse)
  })
})

test('the sentence says what is estimated and what is not known', () => {
  expect(describePulse('Very Active', seen(50, 3_600, false), seen(50, 3_600, false))).toBe(
    'The token moves: about 1,200 transfers in 24 hours.',
  )
  expect(describePulse(undefined, seen(0, 7_200), seen(0, 7_200, false))).toBe(
    'Not known: no transfer was found in 2 hours, and the node gave no more.',
  )
  expect(describePulse('Low Activity', seen(0, DAY_SECONDS), seen(1, WEEK_SECONDS))).toBe(
    'The token hardly moves: one transfer in 7 days.',
  )
})
