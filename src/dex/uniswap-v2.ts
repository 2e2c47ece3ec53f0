import { parseAbi } from 'viem'
import type { Chain } from '../chains/chain.js'
import type { V2Deployment } from '../chains/exchanges.js'
import { type Address, type Hex, ZERO_ADDRESS } from '../hex.js'
import type { StateMiss } from '../state/state-reader.js'
import { create2Address, hashOf, sortTokens } from './create2.js'
import { encodeCall } from './encode-call.js'
import { nestedMappingSlot } from './mapping-slot.js'
import { productCurve } from './pool-curve.js'
import { callData, readAddress } from './read-contract.js'
import { readV2Swap, V2_SWAP_TOPIC } from './v2-swap.js'
import type { Pool, PoolReserves, Route, Venue } from './venue.js'

const uniswapAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
])
const camelotAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline)',
])

/** `getPair(address,address)` */
export const GET_PAIR = '0xe6a43905'

/**
 * An exchange of the Uniswap V2 family, spoken to through its router's fee-on-transfer entry
 * points.
 */
export function createUniswapV2({ wrappedNative }: Chain, deployment: V2Deployment): Venue {
  const { name, factory, router, initCodeHash, pairKind } = deployment
  const { encodeBuy, encodeSell, getPairSlot } = PAIR_KINDS[pairKind]
  /** From the native coin to the token. */
  const pathOf = ({ pool, via }: Route) => [wrappedNative, ...(via ? [via.token] : []), pool.token]
  return {
    name,
    factory,
    router,
    spender: router,
    guessPools: (token, quotes) =>
      quotes.map((quote) => {
        const address = create2Address(factory, hashOf(...sortTokens(token, quote)), initCodeHash)
        return { venue: name, address, token, quote, quoteReserve: 0n, tokenReserve: 0n }
      }),
    findPools: (fork, token, quotes) =>
      quotes.flatMap((quote) => {
        const address = readAddress(fork, factory, callData(GET_PAIR, [token, quote]))
        const reserves = address && reservesOf(token, quote, fork.evm.storage(address, RESERVES_SLOT))
        return reserves ? [{ venue: name, address, token, quote, ...reserves }] : []
      }),
    curve(fork, { address, token, quote }) {
      const reserves = reservesOf(token, quote, fork.evm.storage(address, RESERVES_SLOT))
      return reserves && productCurve(reserves)
    },
    probes: ({ address, token, quote }) => [
      { kind: 'account', address: factory },
      { kind: 'storage', address: factory, slot: nestedMappingSlot(getPairSlot, token, quote) },
      { kind: 'storage', address, slot: RESERVES_SLOT },
    ],
    seeds: (pool) => seedsOf(deployment, pool),
    buy: ({ trader, amountIn, deadline, ...route }) => ({
      to: router,
      value: amountIn,
      data: encodeBuy(pathOf(route), trader, deadline),
    }),
    sell: ({ trader, amountIn, deadline, ...route }) => ({
      to: router,
      value: 0n,
      data: encodeSell(amountIn, pathOf(route).toReversed(), trader, deadline),
    }),
    readSwap: (pool, direction, logs) => readV2Swap(V2_SWAP_TOPIC, pool, direction, logs),
  }
}

interface PairKind {
  encodeBuy(path: readonly Address[], to: Address, deadline: bigint): Hex
  encodeSell(amountIn: bigint, path: readonly Address[], to: Address, deadline: bigint): Hex
  /** Where the factory keeps `getPair`. */
  getPairSlot: bigint
  /** What a swap reads of the pair besides its reserves, and of the factory. */
  swapSlots: readonly bigint[]
  factorySlots: readonly bigint[]
}

const PAIR_KINDS: Record<V2Deployment['pairKind'], PairKind> = {
  uniswap: {
    encodeBuy: (path, to, deadline) =>
      encodeCall({
        abi: uniswapAbi,
        functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
        args: [0n, path, to, deadline],
      }),
    encodeSell: (amountIn, path, to, deadline) =>
      encodeCall({
        abi: uniswapAbi,
        functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
        args: [amountIn, 0n, path, to, deadline],
      }),
    // UniswapV2Factory: behind the two fee addresses.
    getPairSlot: 2n,
    // Tokens 6 and 7, price accumulators 9 and 10, lock 12; the factory 5 and kLast 11 are for
    // liquidity.
    swapSlots: [6n, 7n, 9n, 10n, 12n],
    factorySlots: [],
  },
  camelot: {
    encodeBuy: (path, to, deadline) =>
      encodeCall({
        abi: camelotAbi,
        functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
        args: [0n, path, to, ZERO_ADDRESS, deadline],
      }),
    encodeSell: (amountIn, path, to, deadline) =>
      encodeCall({
        abi: camelotAbi,
        functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
        args: [amountIn, 0n, path, to, ZERO_ADDRESS, deadline],
      }),
    // CamelotFactory: four owners and fee addresses, the owner's share at 4, the referrers' shares
    // at 5.
    getPairSlot: 6n,
    // CamelotPair: factory 5, tokens 6 and 7, lock 13.
    swapSlots: [5n, 6n, 7n, 13n],
    factorySlots: [3n, 4n],
  },
}

/*
 * The slot of the reserves in UniswapV2Pair and its forks, Camelot's among them: reserve0 in the
 * lowest 112 bits, then reserve1. Read directly, so that a pool need not be fetched whole to be
 * found shallow.
 */
const RESERVES_SLOT = 8n
const RESERVE_BITS = 112

function reservesOf(token: Address, quote: Address, word: bigint): PoolReserves | undefined {
  const reserve0 = BigInt.asUintN(RESERVE_BITS, word)
  const reserve1 = BigInt.asUintN(RESERVE_BITS, word >> BigInt(RESERVE_BITS))
  if (reserve0 === 0n || reserve1 === 0n) return undefined
  return token < quote
    ? { tokenReserve: reserve0, quoteReserve: reserve1 }
    : { tokenReserve: reserve1, quoteReserve: reserve0 }
}

function seedsOf({ factory, router, pairKind }: V2Deployment, { address, token, quote }: Pool): StateMiss[] {
  const { swapSlots, factorySlots } = PAIR_KINDS[pairKind]
  return [
    ...[router, quote, token, address].map((each) => ({ kind: 'account', address: each }) as const),
    ...swapSlots.map((slot) => ({ kind: 'storage', address, slot }) as const),
    ...factorySlots.map((slot) => ({ kind: 'storage', address: factory, slot }) as const),
  ]
}
