import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWhole } from '../../test/some-of.js'
import { createManualClock } from '../clock.js'
import { addressShares } from './caller-address.js'
import { limiterConformance } from './limiter.conformance.js'
import { WINDOWS_MS } from './limiter.js'
import { createMemoryLimiter } from './memory-limiter.js'

limiterConformance('memory', async () => {
  const clock = createManualClock()
  return { limiter: createMemoryLimiter({ clock }), passTime: async (ms) => clock.advance(ms) }
})

const key = (id: string) => ({ caller: { kind: 'key', id }, limitClass: 'analysis', limit: 1 }) as const

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
          ...allowedAt.map((start) => allowedAt.filter((at) => at >= start && at < start + WINDOWS_MS.general).length),
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
  clock.advance(WINDOWS_MS.general)
  expect(limiter.takeNow(key('a')).allowed).toBe(true)
})

/** How many are remembered; those of a service in the whole run, against a million. */
const CALLERS = isWhole ? 50_000 : 5_000

describe('more callers than are remembered one by one', () => {
  const visitor = (id: string) => ({ ...addressOf(id), limit: 30 })
  const addressOf = (id: string) => ({ caller: { kind: 'address', id }, limitClass: 'general' }) as const

  test('newcomers are let in', () => {
    const limiter = createMemoryLimiter({ clock: createManualClock(), maxCallers: 100 })
    const allowed = Array.from({ length: 10_000 }, (_, i) => limiter.takeNow(visitor(`a${i}`)).allowed)
    expect(allowed.every(Boolean)).toBe(true)
  })

  test('a caller that used its share up stays refused, however many come after it', () => {
    const clock = createManualClock()
    const limiter = createMemoryLimiter({ clock, maxCallers: 100 })
    for (let i = 0; i < 30; i += 1) limiter.takeNow(visitor('busy'))
    for (let i = 0; i < 5_000; i += 1) limiter.takeNow(visitor(`a${i}`))
    expect(limiter.takeNow(visitor('busy')).allowed).toBe(false)
    clock.advance(WINDOWS_MS.general)
    expect(limiter.takeNow(visitor('busy')).allowed).toBe(true)
  })

  test('no caller gets more than its limit in any window by being forgotten', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ who: fc.integer({ min: 0, max: 9 }), gap: fc.integer({ min: 0, max: 9_000 }) }), {
          maxLength: 300,
        }),
        (visits) => {
          const clock = createManualClock()
          const limiter = createMemoryLimiter({ clock, maxCallers: 2 })
          const allowedAt = new Map<number, number[]>()
          for (const { who, gap } of visits) {
            clock.advance(gap)
            const decision = limiter.takeNow({ ...visitor(`a${who}`), limit: 3 })
            if (decision.allowed) allowedAt.set(who, [...(allowedAt.get(who) ?? []), clock.monotonic()])
            else expect(decision.resetMs).toBeGreaterThan(0)
          }
          for (const times of allowedAt.values())
            for (const start of times)
              expect(times.filter((at) => at >= start && at < start + WINDOWS_MS.general).length).toBeLessThanOrEqual(3)
        },
      ),
    )
  })

  test('forgetting ends: a caller that waits gets its whole share again', () => {
    const clock = createManualClock()
    const limiter = createMemoryLimiter({ clock, maxCallers: 10 })
    for (let i = 0; i < 1_000; i += 1) limiter.takeNow(visitor(`a${i % 40}`))
    clock.advance(3 * WINDOWS_MS.general)
    for (let i = 0; i < 30; i += 1) expect(limiter.takeNow(visitor('a0')).allowed).toBe(true)
  })

  test('40: twenty times as many addresses leave a new visitor admitted and an attacking network refused', () => {
    const limiter = createMemoryLimiter({ clock: createManualClock(), maxCallers: CALLERS })
    const ask = (ip: string) => {
      const [own, ...within] = addressShares(ip, 30)
      return limiter.takeNow({ ...own, limitClass: 'general', within }).allowed
    }
    const countAllowed = (count: number, ipOf: (i: number) => string) => {
      let allowed = 0
      for (let i = 0; i < count; i += 1) if (ask(ipOf(i))) allowed += 1
      return allowed
    }
    // One network alone: as much as ten subscribers may have.
    expect(countAllowed(CALLERS, (i) => `2001:db8:bad:${i.toString(16)}::1`)).toBe(300)
    const dotted = (i: number) => `${1 + (i >> 24)}.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
    expect(countAllowed(20 * CALLERS, dotted)).toBe(20 * CALLERS)
    expect(ask('2001:db8:bad:1::2')).toBe(false)
    expect(countAllowed(20, () => '2a02:1234:5678:9::1')).toBe(20)
    expect(countAllowed(20, () => '198.51.100.7')).toBe(20)
    expect(limiter.takeNow(key('paying')).allowed).toBe(true)
  }, 120_000)
})

test.each(['address', 'network', 'session'] as const)('a flood of the kind %s leaves keys as they were', (kind) => {
  const limiter = createMemoryLimiter({ clock: createManualClock(), maxCallers: 100 })
  const paying = { ...key('paying'), limit: 10 }
  for (let i = 0; i < 4; i += 1) limiter.takeNow(paying)
  for (let i = 0; i < 1_000; i += 1)
    limiter.takeNow({ caller: { kind, id: `a${i}` }, limitClass: 'analysis', limit: 10 })
  expect(limiter.takeNow(paying)).toMatchObject({ allowed: true, remaining: 5 })
})

test('a request that is given back does not count', () => {
  const limiter = createMemoryLimiter({ clock: createManualClock() })
  limiter.takeNow(key('a'))
  limiter.giveBack(key('a'))
  limiter.giveBack(key('never seen'))
  expect(limiter.takeNow(key('a')).allowed).toBe(true)
})
