import type { SolanaAddress } from '../address.js'
import type { AccountMeta, Instruction } from '../instruction.js'
import type { TransactionResult } from '../svm/transaction-result.js'
import type { ReadAccount } from '../token/hook-accounts.js'
import { PUMP_CURVE } from './layouts.js'
import type { Pool, VenueId } from './pool.js'
import { exampleAmm } from './swaps/example-amm.js'
import { meteoraDammV2 } from './swaps/meteora-damm-v2.js'
import { meteoraDlmm } from './swaps/meteora-dlmm.js'
import { orcaWhirlpool } from './swaps/orca-whirlpool.js'
import { pumpCurve } from './swaps/pump-curve.js'
import { pumpSwap } from './swaps/pump-swap.js'
import { raydiumAmmV4, raydiumAmmV4WithBook } from './swaps/raydium-amm-v4.js'
import { raydiumClmm } from './swaps/raydium-clmm.js'
import { raydiumCpmm } from './swaps/raydium-cpmm.js'

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

/**
 * Exchanges whose swaps can be played. The others are recognised, and judged by the token's own
 * rules.
 */
export const SWAP_ADAPTERS: Partial<Record<VenueId, SwapAdapter>> = {
  'example-amm': { build: exampleAmm, verified: true },
  'raydium-amm-v4': { build: raydiumAmmV4, buildElder: raydiumAmmV4WithBook, verified: false },
  'raydium-cpmm': { build: raydiumCpmm, verified: true },
  'raydium-clmm': { build: raydiumClmm, verified: false },
  'orca-whirlpool': { build: orcaWhirlpool, verified: true },
  'meteora-damm-v2': { build: meteoraDammV2, verified: false },
  'meteora-dlmm': { build: meteoraDlmm, verified: false },
  'pump-swap': { build: pumpSwap, verified: false },
  // A curve without a buyer yet holds nothing, and sells.
  'pump-curve': {
    build: pumpCurve,
    verified: false,
    depth: (read, { address }) => PUMP_CURVE.virtualQuote(read(address)?.data ?? new Uint8Array(PUMP_CURVE.minBytes)),
  },
}

/** Whether a swap that fails here is the token's doing, and not ours. */
export const isVerified = ({ venue, isProven }: Pool): boolean =>
  isProven === true || SWAP_ADAPTERS[venue]?.verified === true

/**
 * Sends the swap, and to a program that does not know it yet, its forerunner. `undefined` when this
 * pool cannot be spoken to.
 */
export function sendSwap(
  read: ReadAccount,
  request: SwapRequest,
  send: (instruction: Instruction) => TransactionResult,
): TransactionResult | undefined {
  const { build, buildElder } = SWAP_ADAPTERS[request.pool.venue] ?? {}
  const instruction = build?.(read, request)
  const result = instruction && send(instruction)
  if (result?.error?.name !== UNKNOWN_INSTRUCTION) return result
  const elder = buildElder?.(read, request)
  return elder ? send(elder) : result
}

/** What Raydium's program says to the number of an instruction that it has none of. */
const UNKNOWN_INSTRUCTION = 'InvalidInstructionData'
