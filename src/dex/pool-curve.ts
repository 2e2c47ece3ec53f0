import type { PoolReserves } from './venue.js'

/** What a pool pays by the state that it has now, its fee aside. */
export interface PoolCurve {
  /** Base units of the quote token for so many of the token. */
  offers(amountIn: bigint): bigint
  /**
   * What stands behind the price here. A sale that comes to a place with other liquidity was not
   * paid by this curve alone; absent where there is one curve for all prices.
   */
  liquidity?: bigint
}

/**
 * `x * y = k`: Uniswap V2, volatile pools of Solidly, and what stands behind one price of V3 and
 * V4.
 */
export const productCurve = ({ tokenReserve, quoteReserve }: PoolReserves): PoolCurve => ({
  offers: (amountIn) => (amountIn * quoteReserve) / (tokenReserve + amountIn),
})

/** The present price and what stands behind it. */
export interface PoolPrice {
  /** Square root of token1 per token0, as a 64.96 fixed-point number. */
  sqrtPriceX96: bigint
  liquidity: bigint
}

/** Concentrated liquidity as far as it stays the same: the reserves that it behaves as. */
export function priceCurve(tokenIsFirst: boolean, { sqrtPriceX96, liquidity }: PoolPrice): PoolCurve | undefined {
  if (sqrtPriceX96 === 0n || liquidity === 0n) return undefined
  const first = (liquidity << 96n) / sqrtPriceX96
  const second = (liquidity * sqrtPriceX96) >> 96n
  const [tokenReserve, quoteReserve] = tokenIsFirst ? [first, second] : [second, first]
  return { ...productCurve({ tokenReserve, quoteReserve }), liquidity }
}

const ONE = 10n ** 18n
/** Newton's method on this curve ends after some ten steps; Solidly itself allows so many. */
const MAX_STEPS = 255

/**
 * `x³y + y³x = k`: Solidly's pools for things of equal worth. `tokenUnit`, `quoteUnit`: base units
 * of one whole of either.
 */
export function stableCurve(
  { tokenReserve, quoteReserve }: PoolReserves,
  { tokenUnit, quoteUnit }: { tokenUnit: bigint; quoteUnit: bigint },
): PoolCurve {
  const [x, y] = [(tokenReserve * ONE) / tokenUnit, (quoteReserve * ONE) / quoteUnit]
  const k = product(x, y)
  return {
    offers(amountIn) {
      const left = otherSide((amountIn * ONE) / tokenUnit + x, k, y)
      return left < y ? ((y - left) * quoteUnit) / ONE : 0n
    },
  }
}

function product(x: bigint, y: bigint): bigint {
  return (((x * y) / ONE) * ((x * x) / ONE + (y * y) / ONE)) / ONE
}

/** The `y` that belongs to `x`, from a first guess. */
function otherSide(x: bigint, k: bigint, guess: bigint): bigint {
  let y = guess
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const slope = (3n * x * ((y * y) / ONE)) / ONE + (((x * x) / ONE) * x) / ONE
    if (slope === 0n) return y
    const change = ((product(x, y) - k) * ONE) / slope
    if (change === 0n) return y
    y -= change
  }
  return y
}
