import { expect, test } from 'vitest'
import { AnalysisResistedError } from '../../evm/limits.js'
import { createPartialWork } from './partial-work.js'

test.each(['steps', 'frames', 'wallClockMs'] as const)('the first part that is ended by %s is the last', (bound) => {
  const work = createPartialWork()
  expect(work.play('24 Hours', () => 1)).toBe(1)
  expect(work.unfinished()).toBeUndefined()
  const end = () => {
    throw new AnalysisResistedError(bound)
  }
  expect(work.play('7 Days', end)).toBeUndefined()
  expect(work.play('circumstances', () => 2)).toBeUndefined()
  expect(work.unfinished()).toBe('7 Days')
})

test('what is no bound of ours is not swallowed', () => {
  const work = createPartialWork()
  const fail = () => {
    throw new TypeError('broken')
  }
  expect(() => work.play('24 Hours', fail)).toThrow('broken')
  expect(work.play('7 Days', () => 3)).toBe(3)
})
