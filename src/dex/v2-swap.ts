import type { Log } from '../evm/inspector.js'
import type { Hex } from '../hex.js'
import type { Pool, PoolSwap } from './venue.js'

/**
 * `Swap(address indexed sender, uint amount0In, uint amount1In, uint amount0Out, uint amount1Out,
 * address indexed to)`
 */
export const V2_SWAP_TOPIC: Hex = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'

/**
 * The last swap of that direction among the logs of pools that count what came in and went out of
 * either token, in this order.
 */
export function readV2Swap(
  topic: Hex,
  { address: pool, token, quote }: Pool,
  direction: 'buy' | 'sell',
  logs: readonly Log[],
): PoolSwap | undefined {
  const isFirstOut = (direction === 'buy') === token < quote
  const swaps = logs
    .filter(
      ({ address, topics, data }) =>
        address === pool && topics[0] === topic && data.length === 2 + AMOUNTS * WORD_DIGITS,
    )
    .map(({ data }) =>
      isFirstOut
        ? { amountIn: amountAt(data, 1), amountOut: amountAt(data, 2) }
        : { amountIn: amountAt(data, 0), amountOut: amountAt(data, 3) },
    )
  return swaps.findLast(({ amountIn, amountOut }) => amountIn > 0n && amountOut > 0n)
}

const WORD_DIGITS = 64
const AMOUNTS = 4
const amountAt = (data: Hex, index: number) =>
  BigInt(`0x${data.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS)}`)
