import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteLru, createCountedLru } from './lru.js'

const create = (maxBytes: number) => createByteLru<string>({ maxBytes, sizeOf: (value) => value.length })

test('forgets what was used least lately', () => {
  const lru = create(3 * 140)
  for (const key of ['a', 'b', 'c']) lru.set(key, 'value')
  lru.get('a')
  lru.set('d', 'value')
  expect(['a', 'b', 'c', 'd'].map((key) => lru.get(key) !== undefined)).toEqual([true, false, true, true])
})

test('counts values where their size does not matter, and makes what is not there once', () => {
  const lru = createCountedLru<number, string>(2)
  const made: number[] = []
  const ask = (key: number) =>
    lru.getOrMake(key, () => {
      made.push(key)
      return `value ${key}`
    })
  expect([1, 2, 1, 3, 2].map(ask)).toEqual(['value 1', 'value 2', 'value 1', 'value 3', 'value 2'])
  expect(made).toEqual([1, 2, 3, 2])
  lru.delete(3)
  expect([lru.size, lru.weight, lru.get(3)]).toEqual([1, 1, undefined])
})

test('does not keep what is larger than the whole, nor its predecessor', () => {
  const lru = create(1_000)
  lru.set('a', 'small')
  lru.set('a', 'x'.repeat(2_000))
  expect(lru.get('a')).toBeUndefined()
  expect(lru.weight).toBe(0)
})

test('never holds more than it may, and counts right', () => {
  const step = fc.tuple(fc.constantFrom(...'abcdefgh'), fc.string({ maxLength: 400 }), fc.boolean())
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const lru = create(1_500)
      for (const [key, value, isRead] of steps) {
        if (isRead) lru.get(key)
        else lru.set(key, value)
        expect(lru.weight).toBeLessThanOrEqual(1_500)
      }
      const held = [...'abcdefgh'].map((key) => lru.get(key)).filter((value) => value !== undefined)
      expect(lru.size).toBe(held.length)
      expect(lru.weight).toBe(held.reduce((sum, value) => sum + value.length + 1 + 128, 0))
    }),
  )
})
