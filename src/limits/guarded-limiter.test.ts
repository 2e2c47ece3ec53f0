import { describe, expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { createLimiter } from './create-limiter.js'
import { createGuardedLimiter } from './guarded-limiter.js'
import { limiterConformance } from './limiter.conformance.js'
import { type Limiter, LimiterStoreError } from './limiter.js'
import { createMemoryLimiter } from './memory-limiter.js'

limiterConformance('guarded', async () => {
  const clock = createManualClock()
  const shared = createMemoryLimiter({ clock })
  const limiter = createGuardedLimiter({ shared, local: createMemoryLimiter({ clock }), clock })
  return { limiter, passTime: async (ms) => clock.advance(ms) }
})

limiterConformance('guarded, store down', async () => {
  const clock = createManualClock()
  const shared: Limiter = { take: () => Promise.reject(new LimiterStoreError('down')), close: async () => {} }
  const limiter = createGuardedLimiter({ shared, local: createMemoryLimiter({ clock }), clock })
  return { limiter, passTime: async (ms) => clock.advance(ms) }
})

const request = { caller: { kind: 'key', id: 'a' }, limitClass: 'analysis', limit: 10 } as const

/** A store that can be switched off, as a cable is pulled. */
const setUp = () => {
  const clock = createManualClock()
  const store = createMemoryLimiter({ clock })
  const events: string[] = []
  let isDown = false
  let asked = 0
  const shared: Limiter = {
    async take(request) {
      asked += 1
      if (isDown) throw new LimiterStoreError('down')
      return store.takeNow(request)
    },
    close: async () => {},
  }
  const limiter = createGuardedLimiter({
    shared,
    local: createMemoryLimiter({ clock }),
    clock,
    onOutage: () => events.push('outage'),
    onRecovery: () => events.push('recovery'),
  })
  const takeMany = async (count: number) => {
    let allowed = 0
    for (let i = 0; i < count; i += 1) allowed += (await limiter.take(request)).allowed ? 1 : 0
    return allowed
  }
  return { clock, store, events, takeMany, setDown: (down: boolean) => (isDown = down), asked: () => asked }
}

describe('41: the store goes down', () => {
  test('the count goes on where it was, through the outage and after it', async () => {
    const { clock, takeMany, setDown } = setUp()
    expect(await takeMany(4)).toBe(4)
    setDown(true)
    expect(await takeMany(3)).toBe(3)
    clock.advance(1_000)
    setDown(false)
    expect(await takeMany(50)).toBe(3)
  })

  test('is told once, and so is the recovery', async () => {
    const { clock, events, takeMany, setDown } = setUp()
    setDown(true)
    await takeMany(2)
    clock.advance(1_000)
    await takeMany(2)
    clock.advance(1_000)
    setDown(false)
    await takeMany(2)
    expect(events).toEqual(['outage', 'recovery'])
  })

  test('is asked once a second while it is down', async () => {
    const { clock, takeMany, setDown, asked } = setUp()
    setDown(true)
    await takeMany(5)
    expect(asked()).toBe(1)
    clock.advance(1_000)
    await takeMany(5)
    expect(asked()).toBe(2)
  })
})

test('what another process used up is refused here, and does not count here', async () => {
  const { clock, store, takeMany } = setUp()
  for (let i = 0; i < 10; i += 1) store.takeNow(request)
  clock.advance(30_000)
  expect(await takeMany(20)).toBe(0)
  clock.advance(30_000)
  expect(await takeMany(20)).toBe(10)
})

test('41: a Redis that is not there leaves the limits as they are', async () => {
  const clock = createManualClock()
  let outages = 0
  const limiter = await createLimiter({
    config: { redisUrl: 'redis://127.0.0.1:1' },
    clock,
    onOutage: () => (outages += 1),
  })
  const decisions = await Promise.all(Array.from({ length: 50 }, () => limiter.take(request)))
  expect(decisions.filter(({ allowed }) => allowed).length).toBe(10)
  expect(outages).toBe(1)
  await limiter.close()
})

test('of a crowd that does not end, the store is told no more than this process remembers', async () => {
  const clock = createManualClock()
  let asked = 0
  const shared: Limiter = {
    async take() {
      asked += 1
      return { allowed: true, remaining: 1, resetMs: 1 }
    },
    close: async () => {},
  }
  const limiter = createGuardedLimiter({ shared, local: createMemoryLimiter({ clock, maxCallers: 50 }), clock })
  for (let i = 0; i < 1_000; i += 1)
    await limiter.take({ caller: { kind: 'address', id: `a${i}` }, limitClass: 'general', limit: 30 })
  expect(asked).toBe(50)
  await limiter.take(request)
  expect(asked).toBe(51)
})
