import { encodeFunctionData, parseAbi } from 'viem'
import type { Chain, V2Deployment } from '../chains/chain.js'
import type { Log } from '../evm/inspector.js'
import type { Address } from '../hex.js'
import type { StateMiss } from '../state/state-reader.js'
import { create2Address, hashOf, sortTokens } from './create2.js'
import { nestedMappingSlot } from './mapping-slot.js'
import { callData, readAddress } from './read-contract.js'
import { readV2Swap, V2_SWAP_TOPIC } from './v2-swap.js'
import type { Pool, PoolReserves, Route, Venue } from './venue.js'

const abi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
])

/** `getPair(address,address)` */
const GET_PAIR = '0xe6a43905'

/** An exchange of the Uniswap V2 family, spoken to through its router's fee-on-transfer entry points. */
export function createUniswapV2(chain: Chain, deployment: V2Deployment): Venue {
  const { name, factory, router } = deployment
  const guessPools = (token: Address, quotes: readonly Address[]) =>
    quotes.map((quote): Pool => {
      const salt = hashOf(...sortTokens(token, quote))
      const address = create2Address(factory, salt, deployment.initCodeHash)
      return { venue: name, address, token, quote, quoteReserve: 0n, tokenReserve: 0n }
    })
  return {
    name,
    spender: router,
    guessPools,
    findPools: (fork, token, quotes) =>
      quotes.flatMap((quote) => {
        const address = readAddress(fork, factory, callData(GET_PAIR, [token, quote]))
        const reserves = address && reservesOf(token, quote, fork.evm.storage(address, RESERVES_SLOT))
        return reserves ? [{ venue: name, address, token, quote, ...reserves }] : []
      }),
    probes: ({ address, token, quote }) => [
      { kind: 'account', address: factory },
      { kind: 'storage', address: factory, slot: nestedMappingSlot(FACTORY_GET_PAIR_SLOT, token, quote) },
      { kind: 'storage', address, slot: RESERVES_SLOT },
    ],
    seeds: (pool) => seedsOf(deployment, pool),
    buy: ({ trader, amountIn, deadline, ...route }) => ({
      to: router,
      value: amountIn,
      data: encodeFunctionData({
        abi,
        functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
        args: [0n, pathOf(chain, route), trader, deadline],
      }),
    }),
    sell: ({ trader, amountIn, deadline, ...route }) => ({
      to: router,
      value: 0n,
      data: encodeFunctionData({
        abi,
        functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
        args: [amountIn, 0n, pathOf(chain, route).toReversed(), trader, deadline],
      }),
    }),
    readSwap: (pool, direction, logs: readonly Log[]) => readV2Swap(V2_SWAP_TOPIC, pool, direction, logs),
  }
}

/** From the native coin to the token. */
function pathOf({ wrappedNative }: Chain, { pool, via }: Route): Address[] {
  return [wrappedNative, ...(via ? [via.token] : []), pool.token]
}

/*
 * Storage layout of UniswapV2Pair and its forks: factory 5, token0 6, token1 7, reserves 8 (reserve0 in the lowest 112 bits, then reserve1, then
 * a time), price accumulators 9 and 10, kLast 11, lock 12. Read directly, so that a pool need not be fetched whole to be found shallow.
 */
const RESERVES_SLOT = 8n
const SWAP_SLOTS = [6n, 7n, 9n, 10n, 12n]
const RESERVE_BITS = 112

function reservesOf(token: Address, quote: Address, word: bigint): PoolReserves | undefined {
  const reserve0 = BigInt.asUintN(RESERVE_BITS, word)
  const reserve1 = BigInt.asUintN(RESERVE_BITS, word >> BigInt(RESERVE_BITS))
  if (reserve0 === 0n || reserve1 === 0n) return undefined
  return token < quote
    ? { tokenReserve: reserve0, quoteReserve: reserve1 }
    : { tokenReserve: reserve1, quoteReserve: reserve0 }
}

/** UniswapV2Factory: `getPair` is the mapping at 2, behind the two fee addresses. */
const FACTORY_GET_PAIR_SLOT = 2n

function seedsOf({ router }: V2Deployment, { address, token, quote }: Pool): StateMiss[] {
  return [
    ...[router, quote, token, address].map((each) => ({ kind: 'account', address: each }) as const),
    ...SWAP_SLOTS.map((slot) => ({ kind: 'storage', address, slot }) as const),
  ]
}
