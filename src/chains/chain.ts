import type { Address, Hex } from '../hex.js'

/**
 * Rule sets the engine knows, oldest first. An L2's own names are mapped to the Ethereum rules they
 * adopted. No analysis runs under those before Shanghai: old blocks and conformance suites do.
 */
export const hardforks = [
  'frontier',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const
export type Hardfork = (typeof hardforks)[number]

/** Whether `rules` are those of `fork` or later ones. */
export const isSince = (rules: Hardfork, fork: Hardfork): boolean => hardforks.indexOf(rules) >= hardforks.indexOf(fork)

export interface WatchedToken {
  symbol: string
  address: Address
  decimals: number
}

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

export interface Chain {
  id: number
  name: string
  /** Lower-case word that the phishing answer uses for `chain`. */
  slug: string
  nativeSymbol: string
  /** Milliseconds from block to block: the pace at which time travel moves the height. */
  blockTimeMs: number
  /** Whose height NUMBER answers. On Arbitrum it is an estimate of L1's, which moves every 12 s. */
  numberSource: 'block' | 'l1'
  numberTimeMs: number
  /** Public endpoints, used when the operator names none. */
  defaultRpcUrls: readonly string[]
  wrappedNative: Address
  /** Major tokens whose balance changes are reported, in the order of the answer. */
  watchedTokens: readonly WatchedToken[]
  v2: readonly V2Deployment[]
  v3: readonly V3Deployment[]
  v4: readonly V4Deployment[]
  solidly: readonly SolidlyDeployment[]
  slipstream: readonly SlipstreamDeployment[]
  algebra: readonly AlgebraDeployment[]
  /** Oldest first; `since` in seconds. The last one that has begun rules. */
  hardforks: readonly { name: Hardfork; since: number }[]
  /** Oldest first; `since` in seconds. Absent where the blob fee never moves from its least. */
  blobSchedule?: readonly { since: number; updateFraction: bigint }[]
  /**
   * What its blocks hold besides transactions: Ethereum's withdrawals and requests, the OP Stack's
   * deposits and vaults, or things that only the chain's own nodes execute.
   */
  stack: 'ethereum' | 'op' | 'own'
}

/** The rule set of `chain` at a block's timestamp (seconds). */
export function hardforkAt(chain: Chain, timestamp: bigint): Hardfork {
  const begun = chain.hardforks.filter(({ since }) => BigInt(since) <= timestamp)
  return (begun.at(-1) ?? chain.hardforks[0])?.name ?? 'osaka'
}
