import { parseAbi } from 'viem'
import type { Chain } from '../chains/chain.js'
import type { V3Deployment } from '../chains/exchanges.js'
import { type Address, toPaddedHex, toQuantity, ZERO_ADDRESS } from '../hex.js'
import type { StateMiss } from '../state/state-reader.js'
import { type ConcentratedFamily, createConcentrated, UNISWAP_V3_SWAP } from './concentrated.js'
import { create2Address, hashOf, sortTokens } from './create2.js'
import { encodeCall } from './encode-call.js'
import { mappingSlot, nestedMappingSlot } from './mapping-slot.js'
import { callData, readAddress } from './read-contract.js'
import type { Pool, Venue } from './venue.js'

const abi = parseAbi([
  'function refundETH() payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
])

/**
 * SwapRouter takes the deadline inside the parameters; SwapRouter02 takes it in its own
 * `multicall`.
 */
const swapRouterAbi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'struct Along { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInputSingle(Single params) payable returns (uint256 amountOut)',
  'function exactInput(Along params) payable returns (uint256 amountOut)',
])
const swapRouter02Abi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'struct Along { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInputSingle(Single params) payable returns (uint256 amountOut)',
  'function exactInput(Along params) payable returns (uint256 amountOut)',
])

/**
 * SwapRouter02's `Constants.ADDRESS_THIS`: the router keeps the output, to unwrap it. SwapRouter
 * uses the zero address.
 */
const ROUTER_02_ITSELF: Address = '0x0000000000000000000000000000000000000002'

/**
 * What differs between the pools of Uniswap V3 and those of PancakeSwap V3, whose event also tells
 * the protocol's fees.
 */
const POOL_KINDS = {
  uniswap: {
    /**
     * `Swap(address indexed, address indexed, int256 amount0, int256 amount1, uint160, uint128,
     * int24)`
     */
    swapTopic: UNISWAP_V3_SWAP,
    /**
     * UniswapV3Pool: slot0 0, fee growth 1 and 2, protocol fees 3, liquidity 4; the oracle's first
     * observation is at 8.
     */
    liquiditySlot: 4n,
    tradeSlots: [1n, 2n, 3n, 8n],
    /**
     * UniswapV3Factory: `getPool[tokenA][tokenB][fee]`, behind the deployer's parameters, the owner
     * and the fee tiers.
     */
    getPoolSlot: 5n,
  },
  pancakeswap: {
    /**
     * `Swap(address indexed, address indexed, int256 amount0, int256 amount1, uint160, uint128,
     * int24, uint128, uint128)`
     */
    swapTopic: '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83',
    /**
     * PancakeV3Pool: a wider protocol fee makes slot0 two words, so that all else lies one slot
     * further; the oracle's is at 9.
     */
    liquiditySlot: 5n,
    tradeSlots: [1n, 2n, 3n, 4n, 9n],
    /** PancakeV3Factory: behind the owner and the fee tiers. */
    getPoolSlot: 2n,
  },
} as const
const PRICE_SLOT = 0n

/** `getPool(address,address,uint24)` */
export const GET_POOL_BY_FEE = '0x1698ee82'

/**
 * An exchange of the Uniswap V3 family: one pool per fee tier, spoken to through
 * `exactInputSingle`.
 */
export function createUniswapV3(chain: Chain, deployment: V3Deployment): Venue {
  const { name, factory, router, routerTakesDeadline, feeTiers, poolDeployer, initCodeHash, poolKind } = deployment
  const { swapTopic, liquiditySlot, getPoolSlot } = POOL_KINDS[poolKind]
  return createConcentrated(chain, {
    name,
    factory,
    router,
    tiers: feeTiers,
    tierBytes: 3,
    swapTopic,
    guessPool(token0, token1, feeTier) {
      const salt = hashOf(...[token0, token1, toQuantity(feeTier)].map((part) => toPaddedHex(BigInt(part), 32)))
      return create2Address(poolDeployer, salt, initCodeHash)
    },
    findPool: (fork, token0, token1, feeTier) =>
      readAddress(fork, factory, callData(GET_POOL_BY_FEE, [token0, token1, BigInt(feeTier)])),
    readPrice: ({ evm }, pool) => ({
      sqrtPriceX96: BigInt.asUintN(160, evm.storage(pool, PRICE_SLOT)),
      liquidity: BigInt.asUintN(128, evm.storage(pool, liquiditySlot)),
    }),
    probes: ({ address, token, quote, tier = 0 }) => [
      { kind: 'account', address: factory },
      { kind: 'storage', address: factory, slot: slotOfPool(getPoolSlot, token, quote, tier) },
      { kind: 'storage', address, slot: PRICE_SLOT },
      { kind: 'storage', address, slot: liquiditySlot },
    ],
    seeds: (pool) => seedsOf(deployment, pool),
    ...(routerTakesDeadline ? swapRouter : swapRouter02),
    refund: encodeCall({ abi, functionName: 'refundETH' }),
    unwrap: (recipient) => encodeCall({ abi, functionName: 'unwrapWETH9', args: [0n, recipient] }),
  })
}

type RouterDialect = Pick<ConcentratedFamily, 'routerItself' | 'exactInputSingle' | 'exactInput'>

const swapRouter: RouterDialect = {
  routerItself: ZERO_ADDRESS,
  exactInputSingle: ({ tier, ...swap }) =>
    encodeCall({
      abi: swapRouterAbi,
      functionName: 'exactInputSingle',
      args: [{ ...swap, fee: tier, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }],
    }),
  exactInput: (swap) =>
    encodeCall({ abi: swapRouterAbi, functionName: 'exactInput', args: [{ ...swap, amountOutMinimum: 0n }] }),
}

const swapRouter02: RouterDialect = {
  routerItself: ROUTER_02_ITSELF,
  exactInputSingle: ({ tier, ...swap }) =>
    encodeCall({
      abi: swapRouter02Abi,
      functionName: 'exactInputSingle',
      args: [{ ...swap, fee: tier, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }],
    }),
  exactInput: (swap) =>
    encodeCall({ abi: swapRouter02Abi, functionName: 'exactInput', args: [{ ...swap, amountOutMinimum: 0n }] }),
}

function seedsOf({ router, poolKind }: V3Deployment, { address, token, quote }: Pool): StateMiss[] {
  return [
    ...[router, address, token, quote].map((each) => ({ kind: 'account', address: each }) as const),
    ...POOL_KINDS[poolKind].tradeSlots.map((slot) => ({ kind: 'storage', address, slot }) as const),
  ]
}

function slotOfPool(getPoolSlot: bigint, token: Address, quote: Address, feeTier: number): bigint {
  return mappingSlot(nestedMappingSlot(getPoolSlot, ...sortTokens(token, quote)), BigInt(feeTier))
}
