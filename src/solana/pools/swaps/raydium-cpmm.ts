import { addressAt } from '../../address.js'
import { type Instruction, packed, readonly, signer, writable } from '../../instruction.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import type { SwapRequest } from '../swap-request.js'
import { anchorInstruction, MINIMUM_OUT } from './anchor.js'

/**
 * `swap_base_input` of raydium-cp-swap (`instructions/swap_base_input.rs`). It passes no accounts
 * of hooks on.
 */
export function raydiumCpmm(read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, trader, amountIn, from, to } = request
  const data = read(pool.address)?.data
  if (data === undefined || from.extra.length + to.extra.length > 0) return undefined
  return {
    program: pool.program,
    accounts: [
      signer(trader),
      readonly(pool.vaultOwner),
      readonly(addressAt(data, CONFIG_AT)),
      writable(pool.address),
      writable(from.account),
      writable(to.account),
      writable(from.vault),
      writable(to.vault),
      readonly(from.tokenProgram),
      readonly(to.tokenProgram),
      readonly(from.mint),
      readonly(to.mint),
      writable(addressAt(data, OBSERVATION_AT)),
    ],
    data: packed(SWAP, [64, amountIn], [64, MINIMUM_OUT]),
  }
}

const SWAP = anchorInstruction('swap_base_input')
const CONFIG_AT = 8
const OBSERVATION_AT = 296
