import type { SolanaAddress } from '../address.js'
import type { AccountMeta, Instruction } from '../instruction.js'
import type { ReadAccount } from '../token/hook-accounts.js'
import type { Pool } from './pool.js'

/** One side of a swap, from the trader's point of view. */
export interface SwapLeg {
  mint: SolanaAddress
  tokenProgram: SolanaAddress
  vault: SolanaAddress
  /** The trader's token account. */
  account: SolanaAddress
  /** What a hook of this token wants to see. */
  extra: readonly AccountMeta[]
}

export interface SwapRequest {
  pool: Pool
  trader: SolanaAddress
  amountIn: bigint
  from: SwapLeg
  to: SwapLeg
}

/**
 * Writes the instruction with which a wallet would swap; `undefined` when this pool cannot be
 * spoken to.
 */
export type SwapBuilder = (read: ReadAccount, request: SwapRequest) => Instruction | undefined

export interface SwapAdapter {
  build: SwapBuilder
  /** What a program is told that does not know the instruction of `build` yet. */
  buildElder?: SwapBuilder
  /**
   * The instruction was seen to work with the exchange's real program. Where it was not, a swap
   * that fails may be our fault, and says nothing; one that works says as much as any other. An
   * operator can prove more for his own cluster: `proven-swaps.ts`.
   */
  verified: boolean
  /** What a trade's size is reckoned from, where that is not what the pool's vault holds. */
  depth?(read: ReadAccount, pool: Pool): bigint
}
