import { viewOf } from '../../account.js'
import { addressBytes, type SolanaAddress } from '../../address.js'
import { type Instruction, packed, readonly, signer, writable } from '../../instruction.js'
import { findProgramAddress } from '../../pda.js'
import { MEMO_PROGRAM } from '../../programs.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import type { SwapRequest } from '../swap-request.js'
import { anchorInstruction, MINIMUM_OUT } from './anchor.js'

/**
 * `swap_v2` of orca whirlpools (`instructions/v2/swap.rs`), with the tick arrays that lie in the
 * way. Without accounts of hooks.
 */
export function orcaWhirlpool(read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, trader, amountIn, from, to } = request
  const data = read(pool.address)?.data
  const oracle = findProgramAddress(pool.program, [ORACLE_SEED, addressBytes(pool.address)])
  if (data === undefined || oracle === undefined || from.extra.length + to.extra.length > 0) return undefined
  const isDown = from.mint === pool.mints[0]
  const [a, b] = isDown ? [from, to] : [to, from]
  const arrays = tickArrays(pool.address, pool.program, data, isDown)
  if (arrays.length < ARRAYS) return undefined
  return {
    program: pool.program,
    accounts: [
      readonly(a.tokenProgram),
      readonly(b.tokenProgram),
      readonly(MEMO_PROGRAM),
      signer(trader),
      writable(pool.address),
      readonly(a.mint),
      readonly(b.mint),
      writable(a.account),
      writable(a.vault),
      writable(b.account),
      writable(b.vault),
      ...arrays.map(writable),
      writable(oracle),
    ],
    data: packed(
      SWAP,
      [64, amountIn],
      [64, MINIMUM_OUT],
      [128, isDown ? LOWEST_PRICE : HIGHEST_PRICE],
      // The amount is what goes in; the direction; no further accounts.
      [8, 1],
      [8, isDown ? 1 : 0],
      [8, 0],
    ),
  }
}

const SWAP = anchorInstruction('swap_v2')
const TICK_SPACING_AT = 41
const TICK_AT = 81
const TICKS_PER_ARRAY = 88
const ARRAYS = 3
/** Square roots of the prices that the program allows, in 64.64 bits: no limit. */
const LOWEST_PRICE = 4_295_048_016n
const HIGHEST_PRICE = 79_226_673_515_401_279_992_447_579_055n
const ORACLE_SEED = new TextEncoder().encode('oracle')
const TICK_ARRAY_SEED = new TextEncoder().encode('tick_array')

/** Upwards, the array is that of the next tick, not of the present one. */
function tickArrays(pool: SolanaAddress, program: SolanaAddress, data: Uint8Array, isDown: boolean): SolanaAddress[] {
  const view = viewOf(data)
  const spacing = view.getUint16(TICK_SPACING_AT, true)
  const width = TICKS_PER_ARRAY * spacing
  if (width === 0) return []
  const tick = view.getInt32(TICK_AT, true) + (isDown ? 0 : spacing)
  const first = Math.floor(tick / width) * width
  return Array.from({ length: ARRAYS }, (_, i) => {
    const start = new TextEncoder().encode(String(first + (isDown ? -i : i) * width))
    return findProgramAddress(program, [TICK_ARRAY_SEED, addressBytes(pool), start])
  }).filter((address) => address !== undefined)
}
