import { type Instruction, packed, readonly, signer, writable } from '../../instruction.js'
import { findProgramAddress } from '../../pda.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import type { SwapRequest } from '../swap-request.js'
import { anchorInstruction, MINIMUM_OUT } from './anchor.js'

/** `swap` of Meteora's cp-amm, by its published interface. It passes no accounts of hooks on. */
export function meteoraDammV2(_read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, trader, amountIn, from, to } = request
  const events = findProgramAddress(pool.program, [EVENTS_SEED])
  if (events === undefined || from.extra.length + to.extra.length > 0) return undefined
  const [a, b] = from.mint === pool.mints[0] ? [from, to] : [to, from]
  return {
    program: pool.program,
    accounts: [
      readonly(pool.vaultOwner),
      writable(pool.address),
      writable(from.account),
      writable(to.account),
      writable(a.vault),
      writable(b.vault),
      readonly(a.mint),
      readonly(b.mint),
      signer(trader),
      readonly(a.tokenProgram),
      readonly(b.tokenProgram),
      // The program itself stands for "none" where another account could share in the fee.
      readonly(pool.program),
      readonly(events),
      readonly(pool.program),
    ],
    data: packed(SWAP, [64, amountIn], [64, MINIMUM_OUT]),
  }
}

const SWAP = anchorInstruction('swap')
const EVENTS_SEED = new TextEncoder().encode('__event_authority')
