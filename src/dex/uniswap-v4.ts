import type { Chain } from '../chains/chain.js'
import type { V4Deployment } from '../chains/exchanges.js'
import type { Log } from '../evm/inspector.js'
import { type Address, type Hex, ZERO_ADDRESS } from '../hex.js'
import { priceCurve } from './pool-curve.js'
import { readPoolKey, type V4PoolKey, v4KeyOf, v4PoolId } from './v4-pool-key.js'
import { readV4Price, readV4Reserves, v4GrowthSlots, v4PriceSlots } from './v4-reserves.js'
import { createV4Router } from './v4-router.js'
import type { Pool, PoolSwap, Venue } from './venue.js'

/**
 * `Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160,
 * uint128, int24, uint24)`
 */
const SWAP_TOPIC = '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f'

/**
 * Uniswap V4: pools are entries of one contract. Found are those without hooks at the usual fees,
 * against the native coin itself as well as wrapped; a pool with hooks, or at another fee, has a
 * key that cannot be guessed, and is found when it is named.
 */
export function createUniswapV4(chain: Chain, deployment: V4Deployment): Venue {
  const { name, poolManager, positionManager, router, permit2, tiers } = deployment
  const guessPools = (token: Address, quotes: readonly Address[]) =>
    quotes.flatMap((quote) =>
      (quote === chain.wrappedNative ? [ZERO_ADDRESS, quote] : [quote]).flatMap((currency) =>
        tiers.map(({ fee }): Pool => {
          const pool = { venue: name, address: poolManager, token, quote: currency, quoteReserve: 0n, tokenReserve: 0n }
          return { ...pool, tier: fee, id: v4PoolId(v4KeyOf(deployment, { token, quote: currency, tier: fee })) }
        }),
      ),
    )
  return {
    name,
    factory: poolManager,
    router,
    spender: permit2,
    guessPools,
    findPools: (fork, token, quotes) =>
      guessPools(token, quotes).flatMap((pool) => {
        const reserves = readV4Reserves(fork, pool, v4KeyOf(deployment, pool).tickSpacing)
        return reserves ? [{ ...pool, ...reserves }] : []
      }),
    findNamed: (fork, token, names) =>
      names.flatMap((named) => {
        const key = typeof named === 'string' ? readPoolKey(fork, positionManager, named) : named
        const pool = key && toPool(key)
        if (!pool || pool.token !== token) return []
        const reserves = readV4Reserves(fork, pool, key.tickSpacing)
        return reserves ? [{ ...pool, ...reserves }] : []

        function toPool({ currency0, currency1, fee, tickSpacing, hooks }: V4PoolKey): Pool {
          const quote = currency0 === token ? currency1 : currency0
          const pool = { venue: name, address: poolManager, token: currency0 === token ? currency0 : currency1, quote }
          const id = v4PoolId({ currency0, currency1, fee, tickSpacing, hooks })
          return { ...pool, tier: fee, tickSpacing, hooks, id, quoteReserve: 0n, tokenReserve: 0n }
        }
      }),
    curve: (fork, pool) => priceCurve(pool.token < pool.quote, readV4Price(fork, pool)),
    probes: (pool) => [{ kind: 'account', address: pool.address }, ...v4PriceSlots(pool)],
    seeds: (pool) => [
      ...[router, permit2, pool.token].map((address) => ({ kind: 'account', address }) as const),
      ...v4GrowthSlots(pool),
    ],
    ...createV4Router(deployment),
    readSwap: readV4Swap,
  }
}

const WORD_DIGITS = 64

/** The amounts are the trader's: what it pays is negative. */
function readV4Swap(
  { address: manager, id, token, quote }: Pool,
  direction: 'buy' | 'sell',
  logs: readonly Log[],
): PoolSwap | undefined {
  const [tokenAt, quoteAt] = token < quote ? [0, 1] : [1, 0]
  return logs
    .filter(
      ({ address, topics, data }) =>
        address === manager && topics[0] === SWAP_TOPIC && topics[1] === id && data.length >= 2 + 2 * WORD_DIGITS,
    )
    .map(({ data }) => ({ token: signedWord(data, tokenAt), quote: signedWord(data, quoteAt) }))
    .map((amounts) =>
      direction === 'buy'
        ? { amountIn: -amounts.quote, amountOut: amounts.token }
        : { amountIn: -amounts.token, amountOut: amounts.quote },
    )
    .findLast(({ amountIn, amountOut }) => amountIn > 0n && amountOut > 0n)
}

const signedWord = (data: Hex, index: number) =>
  BigInt.asIntN(256, BigInt(`0x${data.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS)}`))
