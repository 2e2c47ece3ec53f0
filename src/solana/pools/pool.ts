import type { SolanaAddress } from '../address.js'

/** Whether a pool can be traded in, by its own account. */
export type PoolStatus =
  | 'open'
  /** Swaps are switched off. */
  | 'closed'
  /** Swaps begin later. */
  | 'not-open-yet'
  /** A launch curve that has sold out: trading goes on elsewhere. */
  | 'complete'

/** Who can take the liquidity out, as far as the pool's account says. */
export type PoolLiquidity =
  /**
   * Shares are a token of their own. `supply` as the pool counts it; what its mint lacks of that
   * was burnt.
   */
  | { kind: 'lp-token'; mint: SolanaAddress; issued: bigint }
  /** Shares are counted in the pool. */
  | { kind: 'shares'; total: bigint; locked: bigint }
  /**
   * Shares are positions of their own (`positions.ts`). The root of the price, times 2^64, where it
   * is needed to tell what they hold; and the liquidity of all whose range the price is in.
   */
  | { kind: 'positions'; sqrtPrice?: bigint; atPrice?: { liquidity: bigint; tick: number } }
  /** A launch curve: buyers and sellers alone can take anything out. */
  | { kind: 'curve' }

/** A pool as its account says. */
export interface Pool {
  venue: VenueId
  address: SolanaAddress
  program: SolanaAddress
  mints: readonly [SolanaAddress, SolanaAddress]
  /** Token accounts that hold the reserves, in the order of the mints. */
  vaults: readonly [SolanaAddress, SolanaAddress]
  /** Who signs for the vaults. */
  vaultOwner: SolanaAddress
  status: PoolStatus
  liquidity: PoolLiquidity
  /** The operator saw our swaps work with this exchange's program as it is now. */
  isProven?: boolean
}

export type VenueId =
  | 'raydium-amm-v4'
  | 'raydium-cpmm'
  | 'raydium-clmm'
  | 'orca-whirlpool'
  | 'meteora-damm-v2'
  | 'meteora-dlmm'
  | 'pump-swap'
  | 'pump-curve'
  | 'example-amm'
