import { expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { createRecentTime } from './recent-time.js'

function setUp() {
  const clock = createManualClock()
  return { clock, time: createRecentTime({ concurrency: 2, now: clock.monotonic }) }
}

test('counts the whole seconds of each caller, a running job included', () => {
  const { clock, time } = setUp()
  const end = time.begin('a')
  clock.advance(1_000)
  expect([time.of('a'), time.of('b')]).toEqual([0, 0])
  clock.advance(100)
  end()
  expect([time.of('a'), time.of('b')]).toEqual([1, 0])
})

test('two jobs at the same time take twice the time', () => {
  const { clock, time } = setUp()
  time.begin('a')
  time.begin('a')
  clock.advance(600)
  expect(time.of('a')).toBe(1)
})

test('half of it is forgiven every five seconds', () => {
  const { clock, time } = setUp()
  const ends = Array.from({ length: 2 }, () => time.begin('a'))
  clock.advance(4_000)
  for (const end of ends) end()
  expect(time.of('a')).toBe(6)
  clock.advance(5_000)
  expect(time.of('a')).toBe(3)
  clock.advance(10_000)
  expect(time.of('a')).toBe(0)
})

test('where more run than there are processors for, each takes its share', () => {
  const { clock, time } = setUp()
  const callers = ['a', 'b', 'c', 'd']
  const ends = callers.map((caller) => time.begin(caller))
  clock.advance(1_900)
  expect(callers.map(time.of)).toEqual([0, 0, 0, 0])
  ends[3]?.()
  ends[2]?.()
  clock.advance(1_000)
  expect(callers.map(time.of)).toEqual([1, 1, 0, 0])
})

test('many short jobs count as little as they take', () => {
  const { clock, time } = setUp()
  for (let i = 0; i < 90; i += 1) {
    const end = time.begin('a')
    clock.advance(10)
    end()
  }
  expect(time.of('a')).toBe(0)
})
