import type { Log } from '../evm/inspector.js'
import type { Address, Hex } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import type { StateMiss } from '../state/state-reader.js'

/** A place on a fork where a token can be exchanged for `quote`. Plain data. */
export interface Pool {
  /** Name of the {@link Venue} that speaks to it. */
  venue: string
  address: Address
  token: Address
  quote: Address
  /** Base units of `quote` that the pool holds: how deep it is. */
  quoteReserve: bigint
  /** Hundredths of a basis point; V3 style pools only. */
  feeTier?: number
}

/** What a trader asks a router for. */
export interface Order {
  pool: Pool
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
  /** Who must be approved to take the tokens of a sell; `undefined` when nobody has to be. */
  spender: Address | undefined
  /** Pools of `token` against the wrapped native coin that hold anything. Reads the fork; never throws for a hostile token. */
  findPools(fork: Fork, token: Address): Pool[]
  /** Where pools of `token` would be if there are any, worked out without asking; a wrong guess costs time and nothing else. */
  guessPools(token: Address): Pool[]
  /** State that `findPools`, `buy` and `sell` are known to read. */
  seeds(token: Address): StateMiss[]
  /** Spends `amountIn` wei of native coin. */
  buy(order: Order): TradeCall
  /** Spends `amountIn` base units of the token and pays out native coin. */
  sell(order: Order): TradeCall
  /** The last swap of that direction that the pool accounted for in these logs; the trader's comes after any swap-back. */
  readSwap(pool: Pool, direction: 'buy' | 'sell', logs: readonly Log[]): PoolSwap | undefined
}
