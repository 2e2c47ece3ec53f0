import type { Address } from '../../hex.js'
import type { Since } from './read-shares.js'

/**
 * In whose hands a share of the pool is. `burnt`: none. `locker`: a contract out of which no
 * account got it at any time that was tried, or only later. `contract`: one out of which an account
 * got it at once. `account`: a person's.
 */
export type LiquidityHolderKind = 'burnt' | 'locker' | 'contract' | 'account'

export interface LiquidityHolder {
  address: Address
  kind: LiquidityHolderKind
  /** Of the pool's quote side. Basis points with fractions. */
  shareBps: number
  /** Name of a locking service that publishes this address. It decides nothing. */
  service: string | undefined
  /**
   * Seconds since 1970 from which it was got out; `undefined`: at none of the times that were
   * tried.
   */
  withdrawableAt: number | undefined
}

/**
 * Where a pool's liquidity is and when it can leave: the internal form of `liquidity`. Shares in
 * basis points of the pool's quote side.
 */
export interface LiquidityReport {
  venue: string
  pool: Address
  /** Wei of native coin that the pool's quote side is worth. */
  depth: bigint
  /** The largest first. */
  holders: readonly LiquidityHolder[]
  burntBps: number
  lockedBps: number
  /** No known account has it: which one does could not be read. */
  unknownBps: number
  /** When locked liquidity was seen to come free. */
  unlocks: readonly { timestamp: number; shareBps: number }[]
  /** What was got out, acting as those who may: at least so much can be pulled. */
  withdrawableBps: { now: number; in24h: number; in7d: number }
  /** When liquidity came into the pool first; absent where the node does not tell. */
  since?: Since | undefined
  /** Why it may lack something; `undefined` when it is complete. */
  unfinished: string | undefined
}
