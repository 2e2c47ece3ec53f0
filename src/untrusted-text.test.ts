import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText } from './untrusted-text.js'

test('keeps ordinary text as it is', () => {
  expect(plainText('UniswapV2: K — größer')).toBe('UniswapV2: K — größer')
})

test('drops terminal codes and direction overrides', () => {
  expect(plainText('a\u001b[31mred\u202Etxt\u200B')).toBe('a[31mredtxt')
})

test('folds line breaks, so that a log line stays one line', () => {
  expect(plainText('one\r\n{"level":50}')).toBe('one {"level":50}')
})

test('shortens visibly', () => {
  expect(plainText('x'.repeat(300), 10)).toBe('xxxxxxxxx…')
})

test('always gives one bounded line without unprintable characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
      const plain = plainText(text)
      expect([...plain].length).toBeLessThanOrEqual(200)
      expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
    }),
  )
})
