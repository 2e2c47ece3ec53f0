import type { Instruction } from '../instruction.js'
import type { ReadAccount } from '../token/hook-accounts.js'
import type { TransactionResult } from '../transaction-result.js'
import { PUMP_CURVE } from './layouts.js'
import type { Pool, VenueId } from './pool.js'
import type { SwapAdapter, SwapRequest } from './swap-request.js'
import { exampleAmm } from './swaps/example-amm.js'
import { meteoraDammV2 } from './swaps/meteora-damm-v2.js'
import { meteoraDlmm } from './swaps/meteora-dlmm.js'
import { orcaWhirlpool } from './swaps/orca-whirlpool.js'
import { pumpCurve } from './swaps/pump-curve.js'
import { pumpSwap } from './swaps/pump-swap.js'
import { raydiumAmmV4, raydiumAmmV4WithBook } from './swaps/raydium-amm-v4.js'
import { raydiumClmm } from './swaps/raydium-clmm.js'
import { raydiumCpmm } from './swaps/raydium-cpmm.js'

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
