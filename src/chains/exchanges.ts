import type { Address, Hex } from '../hex.js'

/**
 * A Uniswap V2 style exchange: constant product, LP tokens,
 * `swapExactETHForTokensSupportingFeeOnTransferTokens`.
 */
export interface V2Deployment {
  name: string
  /**
   * Whose pairs these are: Camelot's have a fee for each direction, other storage, and a router
   * that wants to know who referred the trader.
   */
  pairKind: 'uniswap' | 'camelot'
  factory: Address
  router: Address
  /**
   * keccak-256 of the pair's creation code: with the factory and the sorted tokens it gives the
   * pair's address (EIP-1014).
   */
  initCodeHash: Hex
  /**
   * What the pool keeps of the amount in, in basis points; what it keeps at first where that can
   * change.
   */
  feeBps: number
}

/**
 * An exchange in the manner of Solidly: a volatile and a stable pool for each pair, and a router
 * that is told which.
 */
export interface SolidlyDeployment {
  name: string
  factory: Address
  router: Address
  /** Pools are minimal proxies (EIP-1167) of this contract. */
  poolImplementation: Address
}

/** A Uniswap V3 style exchange: concentrated liquidity, one pool per fee tier. */
export interface V3Deployment {
  name: string
  /**
   * Whose pools these are: PancakeSwap's have another storage layout and tell more in their `Swap`
   * event.
   */
  poolKind: 'uniswap' | 'pancakeswap'
  factory: Address
  /** Who creates the pools; the factory itself but on PancakeSwap. */
  poolDeployer: Address
  /** A router with `exactInputSingle`. */
  router: Address
  /** Where liquidity positions are made ("NonfungiblePositionManager"); the devnet places it. */
  positionManager?: Address
  /** SwapRouter02 left the deadline out of `exactInputSingle`. */
  routerTakesDeadline: boolean
  quoter: Address
  initCodeHash: Hex
  /** Hundredths of a basis point, most used first. */
  feeTiers: readonly number[]
}

/** An exchange in the manner of Slipstream: concentrated liquidity, one pool per tick spacing. */
export interface SlipstreamDeployment extends SolidlyDeployment {
  /** Most used first. */
  tickSpacings: readonly number[]
}

/** An exchange that runs on Algebra: concentrated liquidity, one pool per pair, whose fee moves. */
export interface AlgebraDeployment {
  name: string
  factory: Address
  /** Who creates the pools. */
  poolDeployer: Address
  router: Address
  initCodeHash: Hex
}

/**
 * Uniswap V4 and its relatives: all pools in one contract, traded in through the Universal Router
 * and Permit2.
 */
export interface V4Deployment {
  name: string
  poolManager: Address
  /**
   * Who makes positions, and keeps the key of each pool that has one: a key cannot be told from a
   * pool's id.
   */
  positionManager: Address
  router: Address
  permit2: Address
  /**
   * The pools without hooks that a front end offers, most used first: fee in hundredths of a basis
   * point, and tick spacing.
   */
  tiers: readonly { fee: number; tickSpacing: number }[]
}

/** Each family of exchanges, with what one of its deployments says of itself. */
export interface Deployments {
  v2: V2Deployment
  v3: V3Deployment
  v4: V4Deployment
  solidly: SolidlyDeployment
  slipstream: SlipstreamDeployment
  algebra: AlgebraDeployment
}
export type Family = keyof Deployments
export type Exchange = { [F in Family]: { family: F } & Deployments[F] }[Family]

/** keccak-256 of the creation code of Uniswap's own pairs and pools. */
export const UNISWAP_V2_PAIR_HASH: Hex = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f'
export const UNISWAP_V3_POOL_HASH: Hex = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'

type V2Addresses = Pick<V2Deployment, 'factory' | 'router'>

/** An exchange that runs Uniswap V2's code, or code that answers as it does. */
export const v2 = (deployment: Omit<V2Deployment, 'pairKind'> & Partial<V2Deployment>): Exchange => ({
  family: 'v2',
  pairKind: 'uniswap',
  ...deployment,
})

export const uniswapV2 = (at: V2Addresses) =>
  v2({
    name: 'Uniswap V2',
    initCodeHash: UNISWAP_V2_PAIR_HASH,
    feeBps: 30,
    ...at,
  })

export const sushiswapV2 = (at: V2Addresses) =>
  v2({
    name: 'SushiSwap V2',
    initCodeHash: '0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303',
    feeBps: 30,
    ...at,
  })

/** The pairs of BSC, where it began, have a hash of their own. */
export const pancakeswapV2 = (at: V2Addresses & { initCodeHash?: Hex }) =>
  v2({
    name: 'PancakeSwap V2',
    initCodeHash: '0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d',
    feeBps: 25,
    ...at,
  })

type V3Addresses = Pick<V3Deployment, 'factory' | 'router' | 'quoter'> & Partial<V3Deployment>

/** An exchange that runs Uniswap V3's code, with its fees. */
export const v3 = (deployment: V3Addresses & { name: string }): Exchange => ({
  family: 'v3',
  poolKind: 'uniswap',
  poolDeployer: deployment.factory,
  routerTakesDeadline: true,
  initCodeHash: UNISWAP_V3_POOL_HASH,
  feeTiers: [3_000, 10_000, 500, 100],
  ...deployment,
})

export const uniswapV3 = (at: V3Addresses) => v3({ name: 'Uniswap V3', ...at })
export const sushiswapV3 = (at: V3Addresses) => v3({ name: 'SushiSwap V3', ...at })

/** Where Uniswap deployed V3 first: Ethereum, and the chains that were there soon after. */
export const FIRST_UNISWAP_V3 = {
  factory: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
  router: '0xe592427a0aece92de3edee1f18e0157c05861564',
  quoter: '0xb27308f9f90d607463bb33ea1bebb41c27ce5ab6',
  positionManager: '0xc36442b4a4522e871399cd717abdd847ab11fe88',
} as const satisfies V3Addresses

/** The same addresses wherever it is. */
export const pancakeswapV3 = () =>
  v3({
    name: 'PancakeSwap V3',
    poolKind: 'pancakeswap',
    factory: '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865',
    poolDeployer: '0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9',
    router: '0x1b81d678ffb9c0263b24a97847620c99d213eb14',
    quoter: '0xb048bbc1ee6b733fffcfb9e9cef7375518e25997',
    initCodeHash: '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2',
    feeTiers: [2_500, 10_000, 500, 100],
  })

/** Uniswap's, unless it is called otherwise. */
export const uniswapV4 = (
  at: Pick<V4Deployment, 'poolManager' | 'positionManager' | 'router'> & Partial<V4Deployment>,
): Exchange => ({ family: 'v4', name: 'Uniswap V4', permit2: PERMIT2, tiers: UNISWAP_V4_TIERS, ...at })

/** Permit2 has one address everywhere. */
const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

export const solidly = (deployment: SolidlyDeployment): Exchange => ({ family: 'solidly', ...deployment })
export const slipstream = (deployment: SlipstreamDeployment): Exchange => ({ family: 'slipstream', ...deployment })
export const algebra = (deployment: AlgebraDeployment): Exchange => ({ family: 'algebra', ...deployment })

/**
 * The fees that Uniswap's front end offers for pools without hooks, each with the tick spacing that
 * it had on V3.
 */
export const UNISWAP_V4_TIERS = [
  { fee: 3_000, tickSpacing: 60 },
  { fee: 10_000, tickSpacing: 200 },
  { fee: 500, tickSpacing: 10 },
  { fee: 100, tickSpacing: 1 },
]
