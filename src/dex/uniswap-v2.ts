import { encodeFunctionData, encodePacked, keccak256, parseAbi } from 'viem'
import type { Chain, V2Deployment } from '../chains/chain.js'
import type { Log } from '../evm/inspector.js'
import type { Address } from '../hex.js'
import type { StateMiss } from '../state/state-reader.js'
import { create2Address, sortTokens } from './create2.js'
import { nestedMappingSlot } from './mapping-slot.js'
import { readWords, wordToAddress } from './read-contract.js'
import type { Pool, PoolSwap, Venue } from './venue.js'

const abi = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
])

/** `Swap(address indexed sender, uint amount0In, uint amount1In, uint amount0Out, uint amount1Out, address indexed to)` */
const SWAP_TOPIC = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'

/** An exchange of the Uniswap V2 family, spoken to through its router's fee-on-transfer entry points. */
export function createUniswapV2(chain: Chain, deployment: V2Deployment): Venue {
  const { name, factory, router } = deployment
  const { wrappedNative } = chain
  const guessPool = (token: Address): Pool => {
    const salt = keccak256(encodePacked(['address', 'address'], sortTokens(token, wrappedNative)))
    const address = create2Address(factory, salt, deployment.initCodeHash)
    return { venue: name, address, token, quote: wrappedNative, quoteReserve: 0n }
  }
  return {
    name,
    spender: router,
    findPools(fork, token) {
      const args = [token, wrappedNative] as const
      const [pair] = readWords(fork, factory, encodeFunctionData({ abi, functionName: 'getPair', args })) ?? []
      if (!pair) return []
      const address = wordToAddress(pair)
      const reserves = readWords(fork, address, encodeFunctionData({ abi, functionName: 'getReserves' })) ?? []
      const quoteReserve = (isFirst(wrappedNative, token) ? reserves[0] : reserves[1]) ?? 0n
      return quoteReserve > 0n ? [{ venue: name, address, token, quote: wrappedNative, quoteReserve }] : []
    },
    guessPools: (token) => [guessPool(token)],
    seeds: (token) => seedsOf(deployment, guessPool(token)),
    buy: ({ pool, trader, amountIn, deadline }) => ({
      to: router,
      value: amountIn,
      data: encodeFunctionData({
        abi,
        functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
        args: [0n, [pool.quote, pool.token], trader, deadline],
      }),
    }),
    sell: ({ pool, trader, amountIn, deadline }) => ({
      to: router,
      value: 0n,
      data: encodeFunctionData({
        abi,
        functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
        args: [amountIn, 0n, [pool.token, pool.quote], trader, deadline],
      }),
    }),
    readSwap: (pool, direction, logs) => readV2Swap(pool, direction, logs),
  }
}

const isFirst = (a: Address, b: Address) => a < b

function readV2Swap(pool: Pool, direction: 'buy' | 'sell', logs: readonly Log[]): PoolSwap | undefined {
  const tokenIsFirst = isFirst(pool.token, pool.quote)
  const swaps = logs
    .filter(
      ({ address, topics, data }) => address === pool.address && topics[0] === SWAP_TOPIC && data.length === 2 + 4 * 64,
    )
    .map(({ data }) => [0, 1, 2, 3].map((i) => BigInt(`0x${data.slice(2 + i * 64, 2 + (i + 1) * 64)}`)) as AmountWords)
    .map(([in0, in1, out0, out1]) =>
      (direction === 'buy') === tokenIsFirst ? { amountIn: in1, amountOut: out0 } : { amountIn: in0, amountOut: out1 },
    )
  return swaps.findLast(({ amountIn, amountOut }) => amountIn > 0n && amountOut > 0n)
}

type AmountWords = [in0: bigint, in1: bigint, out0: bigint, out1: bigint]

/** Storage layout of UniswapV2Pair: factory 5, token0 6, token1 7, reserves 8, price accumulators 9 and 10, kLast 11, lock 12. */
const PAIR_SLOTS = [5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n]
/** UniswapV2Factory: `feeTo` 0; `getPair` is the mapping at 2. */
const FACTORY_FEE_TO_SLOT = 0n
const FACTORY_GET_PAIR_SLOT = 2n

function seedsOf({ factory, router }: V2Deployment, pool: Pool): StateMiss[] {
  const { address, token, quote } = pool
  return [
    ...[factory, router, quote, token, address].map((each) => ({ kind: 'account', address: each }) as const),
    ...PAIR_SLOTS.map((slot) => ({ kind: 'storage', address, slot }) as const),
    { kind: 'storage', address: factory, slot: FACTORY_FEE_TO_SLOT },
    { kind: 'storage', address: factory, slot: nestedMappingSlot(FACTORY_GET_PAIR_SLOT, token, quote) },
  ]
}
