import fc from 'fast-check'
import { expect, test } from 'vitest'
import { largestThatWorks } from './largest.js'

test('finds a limit to within one percent, in a dozen tries, and never promises more than works', () => {
  fc.assert(
    fc.property(fc.bigInt(1_000n, 10n ** 24n), fc.bigInt(1n, 10_000n), (limit, factor) => {
      let tries = 0
      const found = largestThatWorks(limit / 2n + 1n, limit * factor + limit, (amount) => {
        tries += 1
        return amount <= limit
      })
      expect(found <= limit).toBe(true)
      expect(tries).toBeLessThanOrEqual(9)
    }),
  )
})

test('is exact enough where amounts are near each other', () => {
  expect(Number(largestThatWorks(1_000n, 4_000n, (amount) => amount <= 2_500n))).toBeGreaterThan(2_470)
})
