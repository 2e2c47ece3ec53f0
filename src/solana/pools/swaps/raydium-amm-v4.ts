import { type Instruction, packed, readonly, signer, writable } from '../../instruction.js'
import { TOKEN_PROGRAM } from '../../programs.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import type { SwapRequest } from '../swap.js'
import { MINIMUM_OUT } from './anchor.js'

/**
 * `SwapBaseInV2` of raydium-amm (`instruction.rs`), which leaves the order book out. Legacy tokens
 * only.
 */
export function raydiumAmmV4(_read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, trader, amountIn, from, to } = request
  if (from.tokenProgram !== TOKEN_PROGRAM || to.tokenProgram !== TOKEN_PROGRAM) return undefined
  return {
    program: pool.program,
    accounts: [
      readonly(TOKEN_PROGRAM),
      writable(pool.address),
      readonly(pool.vaultOwner),
      writable(pool.vaults[0]),
      writable(pool.vaults[1]),
      writable(from.account),
      writable(to.account),
      signer(trader),
    ],
    data: packed([8, SWAP_BASE_IN_V2], [64, amountIn], [64, MINIMUM_OUT]),
  }
}

const SWAP_BASE_IN_V2 = 16
