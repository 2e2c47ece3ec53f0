import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchBorder } from './borders.js'

const MOST = 2n ** 256n - 1n

test.each([7n, 25n, 31n, 100n, 10_000n, 10n ** 22n, 25n * 10n ** 20n])('finds the upper bound %d exactly', (bound) => {
  expect(searchBorder(1n, MOST, (number) => number <= bound)).toBe(bound)
})

test.each([20n, 1_000n, 10n ** 22n])('finds the lower bound %d exactly', (bound) => {
  expect(searchBorder(10n ** 27n, 1n, (number) => number >= bound)).toBe(bound)
})

test('whatever the bound, the answer is accepted and was bought with a bounded number of calls', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 2n, max: MOST - 1n }), (bound) => {
      let calls = 0
      const found = searchBorder(1n, MOST, (number) => {
        calls += 1
        return number <= bound
      })
      expect(found <= bound && found >= 1n).toBe(true)
      expect(calls).toBeLessThanOrEqual(64)
      // Small numbers are percentages and shares: exact.
      if (bound <= 100_000n) expect(found).toBe(bound)
    }),
  )
})
