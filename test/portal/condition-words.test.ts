import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCondition } from '../../portal/src/report/condition-words.js'

const UNITS = { decimals: 18, symbol: 'TKN' }
const MAX = `0x${'f'.repeat(64)}`
const ADDRESS = '0xcf2d5b3cbb4d7bf04e3f7bfa8e27081b52191f91'

describe('a condition in words', () => {
  test.each([
    [`the entry of the router (${MAX}) is set`, 'the entry of the router (no limit) is set'],
    ['an argument of the call (308925214596054049712)', 'an argument of the call (308.9 TKN)'],
    [`slot 5 (${ADDRESS}) is not the seller`, 'an address that the token keeps (0xcf2d…1f91) is not the seller'],
    [`a value of ${ADDRESS} / 0x10000000000000000000000000000000000000000 is set`, 'a value of 0xcf2d…1f91 is set'],
    ['slot 7 & 0xff is zero', 'a word that the token keeps is zero'],
    ['the time is less than 1767225600', 'the time is less than 1 Jan 2026, 00:00 UTC'],
    ['800 * an argument of the call / 10000 is less', '8 % of an argument of the call is less'],
    ['an entry in mapping 3 is set', 'an entry in a list that the token keeps is set'],
    ['an entry in a nested mapping is set', 'an entry in a list that the token keeps is set'],
  ])('%s', (text, words) => {
    expect(readCondition(text, UNITS)).toBe(words)
  })

  test.each([
    'the seller is the seller',
    'the count (51) is more than 50',
    'a value / 3 is set',
    'a value & 15 is set',
    '30000 * a value / 10000 is less',
  ])('what is none of these stays: %s', (text) => {
    expect(readCondition(text, UNITS)).toBe(text)
  })

  test('without decimals an amount is not made up', () => {
    expect(readCondition('(308925214596054049712) is set', { decimals: null, symbol: '' })).toBe(
      '(a large number) is set',
    )
  })

  test('no text throws, and no long hex is left', () => {
    const part = fc.oneof(
      fc.constantFrom(' / ', ' & ', ' * ', 'slot ', 'mapping ', MAX, ADDRESS, '10000'),
      fc.string(),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => ` 0x${value.toString(16)} `),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => ` ${value} `),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        expect(readCondition(parts.join(''), UNITS)).not.toMatch(/0x[0-9a-f]{41,}/i)
      }),
    )
  })
})
