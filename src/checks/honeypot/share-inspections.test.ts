import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex } from '../../hex.js'
import { amountLike } from './share-inspections.js'

const amounts = fc.bigInt({ min: 1n, max: 1n << 128n })
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex)

test('an amount that is inspected is near the one that was asked about', () => {
  fc.assert(
    fc.property(amounts, seeds, (amount, seed) => {
      const like = amountLike(amount, seed)
      expect(like > 0n && like <= 2n * amount && 4n * like > amount).toBe(true)
    }),
  )
})

test('it is the same for all amounts up to the next power of four, and another for other people', () => {
  const [seed, other] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`] as const
  const least = 4n ** 28n
  const like = amountLike(least, seed)
  for (const amount of [least + 1n, 2n * least, 4n * least - 1n]) expect(amountLike(amount, seed)).toBe(like)
  for (const amount of [least - 1n, 4n * least]) expect(amountLike(amount, seed)).not.toBe(like)
  expect(amountLike(least, other)).not.toBe(like)
})
