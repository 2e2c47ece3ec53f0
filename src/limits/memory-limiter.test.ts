import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { limiterConformance } from './limiter.conformance.js'
import { WINDOW_MS } from './limiter.js'
import { createMemoryLimiter } from './memory-limiter.js'

limiterConformance('memory', async () => {
  const clock = createManualClock()
  return { limiter: createMemoryLimiter({ clock }), passTime: async (ms) => clock.advance(ms) }
})

const key = (id: string) => ({ caller: { kind: 'key', id }, limitClass: 'analysis', limit: 1 }) as const
const address = (id: string) => ({ caller: { kind: 'address', id }, limitClass: 'analysis', limit: 1 }) as const

test('37: no sliding window ever holds more than the limit, whatever the arrivals', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 12 }),
      (gaps, limit) => {
        const clock = createManualClock()
        const limiter = createMemoryLimiter({ clock })
        const allowedAt: number[] = []
        for (const gap of gaps) {
          clock.advance(gap)
          if (limiter.takeNow({ ...key('a'), limit }).allowed) allowedAt.push(clock.monotonic())
        }
        const fullest = Math.max(
          0,
          ...allowedAt.map((start) => allowedAt.filter((at) => at >= start && at < start + WINDOW_MS).length),
        )
        expect(fullest).toBeLessThanOrEqual(limit)
      },
    ),
  )
})

test.each([-3_600_000, 3_600_000])('38: a wall clock that jumps by %d ms changes nothing', (step) => {
  const clock = createManualClock()
  const limiter = createMemoryLimiter({ clock })
  limiter.takeNow(key('a'))
  clock.step(step)
  expect(limiter.takeNow(key('a')).allowed).toBe(false)
  clock.advance(WINDOW_MS)
  expect(limiter.takeNow(key('a')).allowed).toBe(true)
})

test('refuses newcomers when it is full, and has room again when somebody leaves the window', () => {
  const clock = createManualClock()
  const limiter = createMemoryLimiter({ clock, maxCallers: 100 })
  const allowed = Array.from({ length: 200 }, (_, i) => limiter.takeNow(address(`a${i}`)).allowed)
  expect(allowed.filter(Boolean).length).toBe(100)
  clock.advance(WINDOW_MS)
  expect(limiter.takeNow(address('a199')).allowed).toBe(true)
})

test('a flood of addresses does not shut out a key', () => {
  const limiter = createMemoryLimiter({ clock: createManualClock(), maxCallers: 100 })
  for (let i = 0; i < 200; i += 1) limiter.takeNow(address(`a${i}`))
  expect(limiter.takeNow(key('a')).allowed).toBe(true)
})

test('a request that is given back does not count', () => {
  const limiter = createMemoryLimiter({ clock: createManualClock() })
  limiter.takeNow(key('a'))
  limiter.giveBack(key('a'))
  limiter.giveBack(key('never seen'))
  expect(limiter.takeNow(key('a')).allowed).toBe(true)
})
