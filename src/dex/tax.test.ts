import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chainTaxes, taxBps } from './tax.js'

describe('taxBps', () => {
  test.each([
    [100n, 95n, 500],
    [100n, 100n, 0],
    [100n, 130n, 0],
    [100n, 0n, 10_000],
    [1_000_000n, 991_000n, 90],
    [3n, 2n, 3_333],
  ])('of %s expected and %s received is %s', (expected, received, bps) => {
    expect(taxBps(expected, received)).toBe(bps)
  })

  test('cannot be told when nothing was expected', () => {
    expect(taxBps(0n, 0n)).toBeUndefined()
  })

  test('stays between nothing and everything, and grows with what is kept back', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 256n), fc.bigInt(-(2n ** 255n), 2n ** 256n), (expected, received) => {
        const bps = taxBps(expected, received) ?? Number.NaN
        expect(bps).toBeGreaterThanOrEqual(0)
        expect(bps).toBeLessThanOrEqual(10_000)
        expect(taxBps(expected, received + 1n)).toBeLessThanOrEqual(bps)
      }),
    )
  })
})

describe('chainTaxes', () => {
  test('takes the second tax from what the first left', () => {
    expect(chainTaxes(1_000, 1_000)).toBe(1_900)
  })
  test('is the known one when the other is not known', () => {
    expect(chainTaxes(undefined, 300)).toBe(300)
    expect(chainTaxes(300, undefined)).toBe(300)
  })
})
