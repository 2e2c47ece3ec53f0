import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeededRandom } from '../../simulation/random.js'
import { tradeAmount } from './trade-amount.js'

const amountFor = (depth: bigint, seed = 1) =>
  tradeAmount(
    { depth } as Parameters<typeof tradeAmount>[0],
    createSeededRandom(`0x${seed.toString(16).padStart(64, '0')}`),
  )

test('is at most half a percent of the pool and about a tenth of a coin', () => {
  fc.assert(
    fc.property(fc.bigInt(10n ** 15n, 10n ** 24n), fc.nat(), (depth, seed) => {
      const amount = amountFor(depth, seed)
      expect(amount <= depth / 200n + 10n ** 12n + 10n ** 6n).toBe(true)
      expect(amount <= 10n ** 17n + 10n ** 6n).toBe(true)
    }),
  )
})

test('is never so small that rounding looks like tax, even where the pool is', () => {
  expect(amountFor(1n) >= 10n ** 12n).toBe(true)
})

test('is odd in its own way for each trader, and the same for the same one', () => {
  const amounts = Array.from({ length: 50 }, (_, seed) => amountFor(10n ** 20n, seed))
  expect(new Set(amounts).size).toBe(50)
  expect(amounts.every((amount) => amount % 10n ** 9n !== 0n)).toBe(true)
  expect(amountFor(10n ** 20n, 7)).toBe(amountFor(10n ** 20n, 7))
})
