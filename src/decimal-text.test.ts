import { expect, test } from 'vitest'
import { toDecimal, toPrice } from './decimal-text.js'

test.each([
  [1_500_000n, 6, '1.5'],
  [1n, 18, '0.000000000000000001'],
  [7n, 0, '7'],
  [7n, undefined, '7'],
  [7n, 78, '7'],
])('%s base units at %s decimals are %s', (value, decimals, text) => {
  expect(toDecimal(value, decimals)).toBe(text)
})

const ether = (amount: bigint) => ({ amount, decimals: 18 })

test('a price is of whole units on both sides', () => {
  expect(toPrice(ether(5n * 10n ** 18n), ether(20_000n * 10n ** 18n))).toBe('0.00025')
  expect(toPrice({ amount: 3_000_000_000n, decimals: 6 }, ether(4_000n * 10n ** 18n))).toBe('0.75')
  expect(toPrice(ether(10n ** 18n), { amount: 3n, decimals: 0 })).toBe('0.333333333333')
})

test('a supply without end has a price all the same', () => {
  expect(toPrice(ether(1n), ether(2n ** 255n))).toMatch(/^0\.0{50,}[1-9]\d*$/)
  expect(toPrice(ether(10n ** 27n), { amount: 1n, decimals: 77 })).toMatch(/^1\d*$/)
})

test('of nothing there is no price', () => {
  expect(toPrice(ether(1n), ether(0n))).toBeUndefined()
  expect(toPrice(ether(0n), ether(1n))).toBeUndefined()
})
