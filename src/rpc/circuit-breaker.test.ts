import { expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { createCircuitBreaker } from './circuit-breaker.js'

function failing(times: number) {
  const clock = createManualClock()
  const breaker = createCircuitBreaker(clock)
  for (let i = 0; i < times; i += 1) breaker.fail()
  return { clock, breaker }
}

test('opens at the fifth failure in half a minute', () => {
  expect(failing(4).breaker.waitMs()).toBe(0)
  expect(failing(5).breaker.waitMs()).toBeGreaterThan(0)
})

test('forgets failures of more than half a minute ago', () => {
  const { clock, breaker } = failing(4)
  clock.advance(30_001)
  breaker.fail()
  expect(breaker.waitMs()).toBe(0)
})

test('lets one through after the pause, and closes when that one succeeds', () => {
  const { clock, breaker } = failing(5)
  clock.advance(breaker.waitMs())
  expect(breaker.waitMs()).toBe(0)
  breaker.enter()
  expect(breaker.waitMs()).toBeGreaterThan(0)
  breaker.succeed()
  expect(breaker.waitMs()).toBe(0)
  breaker.fail()
  expect(breaker.waitMs()).toBe(0)
})

test('stays open when that one fails', () => {
  const { clock, breaker } = failing(5)
  clock.advance(breaker.waitMs())
  breaker.enter()
  breaker.fail()
  expect(breaker.waitMs()).toBeGreaterThan(0)
})

test('a pause that was asked for is not ended by a success', () => {
  const { clock, breaker } = failing(0)
  breaker.pause(60_000)
  breaker.succeed()
  expect(breaker.waitMs()).toBe(60_000)
  clock.step(3_600_000)
  expect(breaker.waitMs()).toBe(60_000)
  clock.advance(60_000)
  expect(breaker.waitMs()).toBe(0)
})
