import { expect, test } from 'vitest'
import { createUsualDurations } from './usual-durations.js'

test('nothing is said before there is enough to say it from', () => {
  const durations = createUsualDurations()
  expect(durations.of('1')).toEqual({ usualMs: null, slowMs: null, measured: 0 })
  for (const ms of [1, 2, 3, 4]) durations.note('1', ms)
  expect(durations.of('1')).toEqual({ usualMs: null, slowMs: null, measured: 4 })
  durations.note('1', 5)
  expect(durations.of('1')).toEqual({ usualMs: 3, slowMs: 5, measured: 5 })
})

test('half took no longer than the one, nine in ten no longer than the other, in whatever order', () => {
  const durations = createUsualDurations()
  for (const ms of [900.4, 100, 800, 200, 700, 300, 600, 400, 500, 10_000]) durations.note('1', ms)
  expect(durations.of('1')).toEqual({ usualMs: 500, slowMs: 900, measured: 10 })
})

test('each kind for itself, and what is long past is forgotten', () => {
  const durations = createUsualDurations()
  for (let i = 0; i < 150; i += 1) durations.note('1', 60_000)
  for (let i = 0; i < 100; i += 1) durations.note('1', 10)
  expect(durations.of('1')).toEqual({ usualMs: 10, slowMs: 10, measured: 100 })
  expect(durations.of('SOL').measured).toBe(0)
})
