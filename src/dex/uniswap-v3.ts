import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbi } from 'viem'
import type { Chain, V3Deployment } from '../chains/chain.js'
import type { Log } from '../evm/inspector.js'
import type { Address, Hex } from '../hex.js'
import { toPaddedHex, ZERO_ADDRESS } from '../hex.js'
import type { StateMiss } from '../state/state-reader.js'
import { create2Address, sortTokens } from './create2.js'
import { mappingSlot, nestedMappingSlot } from './mapping-slot.js'
import { balanceOf, readWords, wordToAddress } from './read-contract.js'
import type { Order, Pool, PoolSwap, Venue } from './venue.js'

const abi = parseAbi([
  'function getPool(address, address, uint24) view returns (address)',
  'function liquidity() view returns (uint128)',
  'function multicall(bytes[] data) payable returns (bytes[])',
  'function refundETH() payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
])

/** SwapRouter takes the deadline inside the parameters; SwapRouter02 takes it in its own `multicall`. */
const swapRouterAbi = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Params params) payable returns (uint256 amountOut)',
])
const swapRouter02Abi = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Params params) payable returns (uint256 amountOut)',
])

/** `Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160, uint128, int24)` */
const SWAP_TOPIC = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
/** SwapRouter02's `Constants.ADDRESS_THIS`: the router keeps the output, to unwrap it. SwapRouter uses the zero address. */
const ROUTER_02_ITSELF: Address = '0x0000000000000000000000000000000000000002'

/** An exchange of the Uniswap V3 family: one pool per fee tier, spoken to through `exactInputSingle`. */
export function createUniswapV3(chain: Chain, deployment: V3Deployment): Venue {
  const { name, factory, router, routerTakesDeadline, feeTiers } = deployment
  const { wrappedNative } = chain
  const routerItself = routerTakesDeadline ? ZERO_ADDRESS : ROUTER_02_ITSELF

  const guessPools = (token: Address): Pool[] => {
    const [token0, token1] = sortTokens(token, wrappedNative)
    return feeTiers.map((feeTier) => {
      const salt = keccak256(encodeAbiParameters(POOL_KEY, [token0, token1, feeTier]))
      const address = create2Address(deployment.poolDeployer, salt, deployment.initCodeHash)
      return { venue: name, address, token, quote: wrappedNative, quoteReserve: 0n, feeTier }
    })
  }
  const swap = ({ pool, amountIn, deadline }: Order, tokenIn: Address, tokenOut: Address, recipient: Address) => {
    const fee = pool.feeTier ?? 0
    const params = {
      tokenIn,
      tokenOut,
      fee,
      recipient,
      deadline,
      amountIn,
      amountOutMinimum: 0n,
      sqrtPriceLimitX96: 0n,
    }
    const functionName = 'exactInputSingle'
    return routerTakesDeadline
      ? encodeFunctionData({ abi: swapRouterAbi, functionName, args: [params] })
      : encodeFunctionData({ abi: swapRouter02Abi, functionName, args: [params] })
  }
  const multicall = (calls: Hex[], value: bigint) => ({
    to: router,
    value,
    data: encodeFunctionData({ abi, functionName: 'multicall', args: [calls] }),
  })

  return {
    name,
    spender: router,
    findPools(fork, token) {
      return feeTiers.flatMap((feeTier) => {
        const args = [token, wrappedNative, feeTier] as const
        const [word] = readWords(fork, factory, encodeFunctionData({ abi, functionName: 'getPool', args })) ?? []
        if (!word) return []
        const address = wordToAddress(word)
        const [liquidity] = readWords(fork, address, encodeFunctionData({ abi, functionName: 'liquidity' })) ?? []
        const quoteReserve = balanceOf(fork, wrappedNative, address) ?? 0n
        if (!liquidity || quoteReserve === 0n) return []
        return [{ venue: name, address, token, quote: wrappedNative, quoteReserve, feeTier }]
      })
    },
    guessPools,
    seeds: (token) => seedsOf(deployment, guessPools(token)),
    buy(order) {
      const { pool, trader, amountIn } = order
      const refund = encodeFunctionData({ abi, functionName: 'refundETH' })
      return multicall([swap(order, pool.quote, pool.token, trader), refund], amountIn)
    },
    sell(order) {
      const { pool, trader } = order
      const unwrap = encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [0n, trader] })
      return multicall([swap(order, pool.token, pool.quote, routerItself), unwrap], 0n)
    },
    readSwap: (pool, direction, logs) => readV3Swap(pool, direction, logs),
  }
}

function readV3Swap(pool: Pool, direction: 'buy' | 'sell', logs: readonly Log[]): PoolSwap | undefined {
  const tokenIsFirst = pool.token < pool.quote
  const swaps = logs
    .filter(
      ({ address, topics, data }) => address === pool.address && topics[0] === SWAP_TOPIC && data.length >= 2 + 2 * 64,
    )
    .map(({ data }) => [signedWord(data, 0), signedWord(data, 1)] as const)
    .map(([amount0, amount1]) =>
      tokenIsFirst ? { token: amount0, quote: amount1 } : { token: amount1, quote: amount0 },
    )
    // The pool counts what it receives as positive.
    .map(({ token, quote }) =>
      direction === 'buy' ? { amountIn: quote, amountOut: -token } : { amountIn: token, amountOut: -quote },
    )
  return swaps.findLast(({ amountIn, amountOut }) => amountIn > 0n && amountOut > 0n)
}

const signedWord = (data: Hex, index: number) =>
  BigInt.asIntN(256, BigInt(`0x${data.slice(2 + index * 64, 2 + (index + 1) * 64)}`))

/** What the deployer hashes to a pool's salt. */
const POOL_KEY = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const

/** UniswapV3Pool: slot0 0, fee growth 1 and 2, protocol fees 3, liquidity 4; the oracle's first observation is at 8. */
const POOL_SLOTS = [0n, 1n, 2n, 3n, 4n, 8n]

function seedsOf({ factory, router }: V3Deployment, pools: readonly Pool[]): StateMiss[] {
  const accounts = [factory, router, ...pools.flatMap(({ address, token, quote }) => [address, token, quote])]
  return [
    ...[...new Set(accounts)].map((address) => ({ kind: 'account', address }) as const),
    ...pools.flatMap(({ address }) => POOL_SLOTS.map((slot) => ({ kind: 'storage', address, slot }) as const)),
    ...pools.map(({ token, quote, feeTier = 0 }) => {
      const byFee = nestedMappingSlot(FACTORY_GET_POOL_SLOT, token, quote)
      return { kind: 'storage', address: factory, slot: mappingSlotOf(byFee, feeTier) } as const
    }),
  ]
}

/** UniswapV3Factory: `getPool[tokenA][tokenB][fee]` is the mapping at 5, behind owner, the fee tiers and the deployer's parameters. */
const FACTORY_GET_POOL_SLOT = 5n
const mappingSlotOf = (base: bigint, key: number) => mappingSlot(base, toPaddedHex(BigInt(key), 20))
