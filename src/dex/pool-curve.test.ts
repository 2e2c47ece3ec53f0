import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { priceCurve, productCurve, stableCurve } from './pool-curve.js'

const ONE = 10n ** 18n
const UNITS = { tokenUnit: ONE, quoteUnit: ONE }
/** Base units of a sale and of what a pool has. */
const amounts = fc.bigInt({ min: ONE, max: 10n ** 27n })

describe('what a pool offers', () => {
  test('by constant product', () => {
    const curve = productCurve({ tokenReserve: 1_000n, quoteReserve: 500n })
    expect([curve.offers(0n), curve.offers(1_000n), curve.offers(9_000n)]).toEqual([0n, 250n, 450n])
  })

  test('at a price is what the reserves would offer that it stands for, whichever token is first', () => {
    const sqrtPriceX96 = 2n << 96n
    const price = { sqrtPriceX96, liquidity: 10n ** 20n }
    const [cheap, dear] = [
      { tokenReserve: 5n * 10n ** 19n, quoteReserve: 2n * 10n ** 20n },
      { tokenReserve: 2n * 10n ** 20n, quoteReserve: 5n * 10n ** 19n },
    ]
    expect(priceCurve(true, price)?.offers(ONE)).toBe(productCurve(cheap).offers(ONE))
    expect(priceCurve(false, price)?.offers(ONE)).toBe(productCurve(dear).offers(ONE))
    expect(priceCurve(true, { ...price, liquidity: 0n })).toBeUndefined()
  })

  test('for things of equal worth is near one for one, also where their units differ', () => {
    const even = stableCurve({ tokenReserve: 10n ** 24n, quoteReserve: 10n ** 24n }, UNITS)
    expect(even.offers(1_000n * ONE)).toBeGreaterThan(999n * ONE)
    const units = { tokenUnit: 10n ** 6n, quoteUnit: ONE }
    const mixed = stableCurve({ tokenReserve: 10n ** 12n, quoteReserve: 10n ** 24n }, units)
    expect(mixed.offers(10n ** 9n)).toBeGreaterThan(999n * ONE)
  })

  test('keeps x³y + y³x, within what rounding takes', () => {
    const k = (x: bigint, y: bigint) => x * y * (x * x + y * y)
    fc.assert(
      fc.property(amounts, amounts, amounts, (tokenReserve, quoteReserve, amountIn) => {
        const paid = stableCurve({ tokenReserve, quoteReserve }, UNITS).offers(amountIn)
        const before = k(tokenReserve, quoteReserve)
        const after = k(tokenReserve + amountIn, quoteReserve - paid)
        // Newton ends within some units of the eighteenth digit of each side.
        const room = before / 10n ** 9n + k(tokenReserve + amountIn, 10n ** 6n)
        expect(after - before <= room && before - after <= room).toBe(true)
      }),
    )
  })
})
