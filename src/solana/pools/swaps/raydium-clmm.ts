import { viewOf } from '../../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../address.js'
import { type Instruction, packed, readonly, signer, writable } from '../../instruction.js'
import { findProgramAddress } from '../../pda.js'
import { MEMO_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import type { SwapRequest } from '../swap-request.js'
import { anchorInstruction, MINIMUM_OUT } from './anchor.js'

/**
 * `swap_v2` of raydium-clmm (`instructions/swap_v2.rs`), with the tick arrays that lie in the way.
 * It passes no accounts of hooks on.
 */
export function raydiumClmm(read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, trader, amountIn, from, to } = request
  const data = read(pool.address)?.data
  const bitmap = findProgramAddress(pool.program, [BITMAP_SEED, addressBytes(pool.address)])
  if (data === undefined || bitmap === undefined || from.extra.length + to.extra.length > 0) return undefined
  const isDown = from.mint === pool.mints[0]
  const arrays = tickArrays(pool.address, pool.program, data, isDown).filter((array) => read(array) !== undefined)
  return {
    program: pool.program,
    accounts: [
      signer(trader),
      readonly(addressAt(data, CONFIG_AT)),
      writable(pool.address),
      writable(from.account),
      writable(to.account),
      writable(from.vault),
      writable(to.vault),
      writable(addressAt(data, OBSERVATION_AT)),
      readonly(TOKEN_PROGRAM),
      readonly(TOKEN_2022_PROGRAM),
      readonly(MEMO_PROGRAM),
      readonly(from.mint),
      readonly(to.mint),
      ...(read(bitmap) === undefined ? [] : [writable(bitmap)]),
      ...arrays.map(writable),
    ],
    // No limit on the price; the amount is what goes in.
    data: packed(SWAP, [64, amountIn], [64, MINIMUM_OUT], [128, 0], [8, 1]),
  }
}

const SWAP = anchorInstruction('swap_v2')
const CONFIG_AT = 9
const OBSERVATION_AT = 201
const TICK_SPACING_AT = 235
const TICK_AT = 269
const TICKS_PER_ARRAY = 60
/** A thousandth of the pool seldom leaves the first. */
const ARRAYS = 3
const BITMAP_SEED = new TextEncoder().encode('pool_tick_array_bitmap_extension')
const TICK_ARRAY_SEED = new TextEncoder().encode('tick_array')

function tickArrays(pool: SolanaAddress, program: SolanaAddress, data: Uint8Array, isDown: boolean): SolanaAddress[] {
  const view = viewOf(data)
  const width = TICKS_PER_ARRAY * view.getUint16(TICK_SPACING_AT, true)
  if (width === 0) return []
  const first = Math.floor(view.getInt32(TICK_AT, true) / width) * width
  return Array.from({ length: ARRAYS }, (_, i) => {
    const start = new Uint8Array(4)
    viewOf(start).setInt32(0, first + (isDown ? -i : i) * width)
    return findProgramAddress(program, [TICK_ARRAY_SEED, addressBytes(pool), start])
  }).filter((address) => address !== undefined)
}
