import { type Instruction, packed, readonly, signer, writable } from '../../instruction.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import type { SwapRequest } from '../swap-request.js'

/** `contracts/solana/amm.c`. Passes the extra accounts of hooks on. */
export function exampleAmm(_read: ReadAccount, { pool, trader, amountIn, from, to }: SwapRequest): Instruction {
  return {
    program: pool.program,
    accounts: [
      writable(pool.address),
      signer(trader),
      writable(from.account),
      writable(to.account),
      writable(from.vault),
      writable(to.vault),
      readonly(from.mint),
      readonly(to.mint),
      readonly(from.tokenProgram),
      readonly(to.tokenProgram),
      ...from.extra,
      ...to.extra,
    ],
    data: packed([8, 1], [64, amountIn], [64, 1], [8, from.extra.length], [8, to.extra.length]),
  }
}
