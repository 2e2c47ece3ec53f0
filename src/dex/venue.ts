import type { Log } from '../evm/inspector.js'
import type { Address, Hex } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import type { StateMiss } from '../state/state-reader.js'
import type { PoolCurve } from './pool-curve.js'
import type { V4PoolKey } from './v4-pool-key.js'

export interface PoolReserves {
  /** Base units of `quote` that stand behind the present price: how deep the pool is. */
  quoteReserve: bigint
  /** Base units of `token` that are worth as much at the pool's price. */
  tokenReserve: bigint
}

/** A place on a fork where a token can be exchanged for `quote`. Plain data. */
export interface Pool extends PoolReserves {
  /** Name of the {@link Venue} that speaks to it. */
  venue: string
  /** Who holds the tokens. */
  address: Address
  token: Address
  /** The zero address is the native coin itself. */
  quote: Address
  /**
   * Which of the pair's pools it is, where an exchange has several: a fee in hundredths of a basis
   * point, or a tick spacing.
   */
  tier?: number
  /** What the exchange knows the pool by, where one contract holds them all. */
  id?: Hex
  /**
   * Of a V4 pool that is not one of the usual: the distance of its ticks, and who is told of its
   * trades.
   */
  tickSpacing?: number
  hooks?: Address
}

/**
 * What a pool that cannot be guessed goes by: its id, or the whole key that the id is the hash of.
 */
export type PoolName = Hex | V4PoolKey

/** The way from native coin to a token and back on one exchange. Plain data. */
export interface Route {
  pool: Pool
  /**
   * Where `pool.quote` itself is exchanged for native coin; absent when it is the native coin,
   * wrapped or not.
   */
  via?: Pool
}

/** What a trader asks a router for. */
export interface Order extends Route {
  trader: Address
  amountIn: bigint
  /** Seconds since 1970. */
  deadline: bigint
}

/** A transaction as a wallet would be handed it by the exchange's own front end. */
export interface TradeCall {
  to: Address
  value: bigint
  data: Hex
}

/** A swap in the pool's own accounting, which the token under test cannot forge. */
export interface PoolSwap {
  amountIn: bigint
  amountOut: bigint
}

/** One exchange on one chain: where a token trades there, and how its router is spoken to. */
export interface Venue {
  name: string
  /** Who knows the pools. Without code there, none is found. */
  factory: Address
  /** Who is sent the trades. */
  router: Address
  /** Who must be approved to take the tokens of a sell; `undefined` when none has to be. */
  spender: Address | undefined
  /**
   * What the spender has to be told besides, where it hands tokens out on further instruction
   * (Permit2): who may have how many until when.
   */
  permit?(order: Order): TradeCall
  /**
   * Where pools of `token` would be if there are any, worked out without asking; a wrong guess
   * costs time and nothing else.
   */
  guessPools(token: Address, quotes: readonly Address[]): Pool[]
  /**
   * Pools of `token` against these quote tokens that hold anything. Reads the fork; never throws
   * for a hostile token.
   */
  findPools(fork: Fork, token: Address, quotes: readonly Address[]): Pool[]
  /** The pools of `token` among these, where the exchange has pools that cannot be guessed. */
  findNamed?(fork: Fork, token: Address, names: readonly PoolName[]): Pool[]
  /** What the pool would pay for tokens on the fork now. */
  curve(fork: Fork, pool: Pool): PoolCurve | undefined
  /** State that tells whether a guessed pool is there and how deep it is; `findPools` reads it. */
  probes(pool: Pool): StateMiss[]
  /** State that a trade in this pool is known to read besides. */
  seeds(pool: Pool): StateMiss[]
  /** Spends `amountIn` wei of native coin. */
  buy(order: Order): TradeCall
  /** Spends `amountIn` base units of the token and pays out native coin. */
  sell(order: Order): TradeCall
  /**
   * The last swap of that direction that the pool accounted for in these logs; the trader's comes
   * after any swap-back.
   */
  readSwap(pool: Pool, direction: 'buy' | 'sell', logs: readonly Log[]): PoolSwap | undefined
}
