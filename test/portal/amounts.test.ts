import { describe, expect, test } from 'vitest'
import { formatPrice } from '../../portal/src/report/price.js'
import { costsOfSizes, type SaleSize } from '../../portal/src/report/size-costs.js'

describe('a price', () => {
  test.each([
    ['1234.56789', '1\u2009234'],
    ['12.3456', '12.34'],
    ['1.00001', '1'],
    ['0.25', '0.25'],
    ['0.0000592312016403', '0.00005923'],
    ['0.00000000433112', '0.0₈4331'],
    ['0.000000000000433', '0.0₁₂433'],
    ['0', '0'],
    ['0.000', '0'],
  ])('%s is shown as %s', (price, shown) => {
    expect(formatPrice(price)).toBe(shown)
  })
})

describe('what selling more costs', () => {
  const sale = (amount: string, received: string, tax: number | null, success = true): SaleSize => ({
    ...{ amount, received, tax, success, poolShare: 1 },
  })
  const sharesOf = (sizes: SaleSize[]) =>
    costsOfSizes(sizes).map(({ shares }) => shares?.map(({ share }) => Math.round(share * 100)))

  test('the smallest sale says the price, and its tax is told apart from it', () => {
    expect(sharesOf([sale('100', '90', 10), sale('1000', '810', 10)])).toEqual([
      [90, 10, 0],
      [81, 9, 10],
    ])
  })

  test('a tax that rises with the size is the token, not the market', () => {
    expect(sharesOf([sale('100', '100', 0), sale('1000', '500', 50)])).toEqual([
      [100, 0, 0],
      [50, 50, 0],
    ])
  })

  test('what fails has no shares, also where it is the smallest', () => {
    expect(sharesOf([sale('100', '0', null, false), sale('1000', '900', 0)])).toEqual([undefined, [100, 0, 0]])
    expect(sharesOf([sale('100', '0', 100)])).toEqual([undefined])
    expect(sharesOf([])).toEqual([])
  })
})
