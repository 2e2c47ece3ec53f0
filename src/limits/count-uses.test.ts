import { expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { countUses } from './count-uses.js'
import { createMemoryLimiter } from './memory-limiter.js'

test('tells of what was let through for a key, and of nothing else', async () => {
  const told: string[] = []
  const limiter = countUses(createMemoryLimiter({ clock: createManualClock() }), (...use) => told.push(use.join(' ')))
  const take = (kind: 'key' | 'session' | 'address', id: string, limit = 1) =>
    limiter.take({ caller: { kind, id }, limitClass: 'analysis', limit })
  expect((await take('key', 'key_a')).allowed).toBe(true)
  expect((await take('key', 'key_a')).allowed).toBe(false)
  await take('session', 'key_b')
  await take('address', '192.0.2.1')
  expect(told).toEqual(['key_a analysis'])
})
