import { viewOf } from '../../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../address.js'
import { type Instruction, packed, readonly, signer, writable } from '../../instruction.js'
import { findProgramAddress } from '../../pda.js'
import { MEMO_PROGRAM } from '../../programs.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import { arrayOf, binArrayAddress } from '../bin-positions.js'
import type { Pool } from '../pool.js'
import type { SwapRequest } from '../swap-request.js'
import { anchorInstruction, MINIMUM_OUT } from './anchor.js'

/**
 * `swap2` of Meteora's DLMM, with the arrays of bins that lie in the way. It passes no accounts of
 * hooks on. Source: MeteoraAg/dlmm-sdk, `cli/src/instructions/swap_exact_in.rs` and the published
 * interface (`LbPair`).
 */
export function meteoraDlmm(read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, trader, amountIn, from, to } = request
  const { program, address } = pool
  const data = read(address)?.data
  const events = findProgramAddress(program, [EVENTS_SEED])
  const bitmap = findProgramAddress(program, [BITMAP_SEED, addressBytes(address)])
  if (data === undefined || events === undefined || bitmap === undefined) return undefined
  if (from.extra.length + to.extra.length > 0) return undefined
  const isDown = from.mint === pool.mints[0]
  const [x, y] = isDown ? [from, to] : [to, from]
  const arrays = binArrays(pool, data, isDown)
  if (arrays.length === 0) return undefined
  return {
    program,
    accounts: [
      writable(address),
      // The program itself stands for "none": for what few pools have, and for a share in the fee.
      readonly(read(bitmap) === undefined ? program : bitmap),
      ...[x.vault, y.vault, from.account, to.account].map(writable),
      ...[x.mint, y.mint].map(readonly),
      writable(addressAt(data, ORACLE_AT)),
      readonly(program),
      signer(trader),
      ...[x.tokenProgram, y.tokenProgram, MEMO_PROGRAM, events, program].map(readonly),
      ...arrays.map(writable),
    ],
    data: packed(SWAP, [64, amountIn], [64, MINIMUM_OUT], NO_HOOK_ACCOUNTS),
  }
}

const SWAP = anchorInstruction('swap2')
/** Two groups of further accounts, for the hooks of either token, and none in them. */
const NO_HOOK_ACCOUNTS = Uint8Array.of(2, 0, 0, 0, 0, 0, 1, 0)
const ACTIVE_BIN_AT = 76
const ORACLE_AT = 552
/** A bit for each array of bins that holds liquidity, from the lowest to the highest. */
const BITMAP_AT = 584
const LOWEST_ARRAY = -512
const HIGHEST_ARRAY = 511
/** As the exchange's own tools send; a thousandth of the pool seldom leaves the first. */
const ARRAYS = 3
const EVENTS_SEED = new TextEncoder().encode('__event_authority')
const BITMAP_SEED = new TextEncoder().encode('bitmap')

/**
 * The next arrays with liquidity, from that of the active bin on. Those outside of the pool's own
 * bitmap, at prices that hardly a pool reaches, are not found.
 */
function binArrays(pool: Pool, data: Uint8Array, isDown: boolean): SolanaAddress[] {
  const view = viewOf(data)
  const found: SolanaAddress[] = []
  const first = arrayOf(view.getInt32(ACTIVE_BIN_AT, true))
  const isListed = (index: number) => {
    const bit = index - LOWEST_ARRAY
    return ((view.getUint8(BITMAP_AT + (bit >> 3)) >> (bit & 7)) & 1) === 1
  }
  for (let index = first; index >= LOWEST_ARRAY && index <= HIGHEST_ARRAY; index += isDown ? -1 : 1) {
    if (!isListed(index)) continue
    const array = binArrayAddress(pool, index)
    if (array !== undefined) found.push(array)
    if (found.length === ARRAYS) break
  }
  return found
}
