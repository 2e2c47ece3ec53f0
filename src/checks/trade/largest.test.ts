import fc from 'fast-check'
import { expect, test } from 'vitest'
import { largestThatWorks, smallestThatWorks } from './largest.js'

test('finds a limit to within half a percent, in fourteen tries, and never promises more than works', () => {
  fc.assert(
    fc.property(fc.bigInt(1_000n, 10n ** 24n), fc.bigInt(1n, 10_000n), (limit, factor) => {
      let tries = 0
      const found = largestThatWorks(limit / 2n + 1n, limit * factor + limit, (amount) => {
        tries += 1
        return amount <= limit
      })
      expect(found <= limit).toBe(true)
      expect(found >= limit - limit / 200n).toBe(true)
      expect(tries).toBeLessThanOrEqual(14)
    }),
  )
})

test('is exact where amounts are small', () => {
  for (const limit of [1n, 2n, 3n, 7n]) expect(largestThatWorks(1n, 9n, (amount) => amount <= limit)).toBe(limit)
})

test('finds the least that works to within half a percent, from a single wei on, and never promises less', () => {
  fc.assert(
    fc.property(fc.bigInt(2n, 10n ** 17n), (limit) => {
      const found = smallestThatWorks(1n, 10n ** 17n, (amount) => amount >= limit)
      expect(found >= limit).toBe(true)
      expect(found <= limit + limit / 200n + 1n).toBe(true)
    }),
  )
})
