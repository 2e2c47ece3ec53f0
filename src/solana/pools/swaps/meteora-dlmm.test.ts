import { expect, test } from 'vitest'
import type { SolanaAccount } from '../../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../address.js'
import { findProgramAddress } from '../../pda.js'
import { MEMO_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs.js'
import { POOL_LAYOUTS } from '../layouts.js'
import { readPool } from '../read-pool.js'
import type { SwapLeg } from '../swap-request.js'
import { meteoraDlmm } from './meteora-dlmm.js'

/**
 * Against what MeteoraAg/dlmm-sdk publishes of `swap2`: the accounts in their order, the seeds, and
 * 70 bins to an array.
 */
const key = (byte: number) => addressAt(new Uint8Array(32).fill(byte))
const [at, x, y, vaultX, vaultY, oracle, trader] = [1, 10, 11, 12, 13, 14, 7].map(key) as SolanaAddress[]
const program = POOL_LAYOUTS.find(({ id }) => id === 'meteora-dlmm')?.program ?? key(0)
const seed = (word: string) => new TextEncoder().encode(word)
const seeded = (...seeds: Uint8Array[]) => findProgramAddress(program, seeds)
const pool = addressBytes(at ?? key(1))

function arrayOf(index: number) {
  const name = Buffer.alloc(8)
  name.writeBigInt64LE(BigInt(index))
  return seeded(seed('bin_array'), pool, Uint8Array.from(name))
}

function play(activeBin: number, held: readonly number[], buysX: boolean, hasExtension = false) {
  const data = new Uint8Array(904)
  const view = new DataView(data.buffer)
  view.setInt32(76, activeBin, true)
  for (const [offset, of] of [
    [88, x],
    [120, y],
    [152, vaultX],
    [184, vaultY],
    [552, oracle],
  ] as const)
    data.set(addressBytes(of ?? key(0)), offset)
  for (const index of held)
    view.setUint8(584 + ((index + 512) >> 3), view.getUint8(584 + ((index + 512) >> 3)) | (1 << ((index + 512) & 7)))
  const stored: SolanaAccount = { lamports: 1n, owner: program, executable: false, data }
  const extension = seeded(seed('bitmap'), pool)
  const read = (of: SolanaAddress) => (of === at || (hasExtension && of === extension) ? stored : undefined)
  const legX: SwapLeg = {
    mint: x ?? key(0),
    tokenProgram: TOKEN_2022_PROGRAM,
    vault: vaultX ?? key(0),
    account: key(20),
    extra: [],
  }
  const legY: SwapLeg = {
    mint: y ?? key(0),
    tokenProgram: TOKEN_PROGRAM,
    vault: vaultY ?? key(0),
    account: key(21),
    extra: [],
  }
  const read0 = readPool(at ?? key(1), stored, 0n)
  const [from, to] = buysX ? [legY, legX] : [legX, legY]
  return read0 && meteoraDlmm(read, { pool: read0, trader: trader ?? key(7), amountIn: 5n, from, to })
}

const named = (instruction: ReturnType<typeof play>) =>
  instruction?.accounts.map(({ address, writable, signer }) => `${signer ? 's' : ''}${writable ? 'w' : 'r'} ${address}`)

test('names the sixteen published accounts and the next arrays of bins that hold something', () => {
  const sale = play(-1, [-4, -3, -2, -1, 0, 1], false)
  expect(named(sale)).toEqual([
    `w ${at}`,
    `r ${program}`,
    `w ${vaultX}`,
    `w ${vaultY}`,
    `w ${key(20)}`,
    `w ${key(21)}`,
    `r ${x}`,
    `r ${y}`,
    `w ${oracle}`,
    `r ${program}`,
    `sr ${trader}`,
    `r ${TOKEN_2022_PROGRAM}`,
    `r ${TOKEN_PROGRAM}`,
    `r ${MEMO_PROGRAM}`,
    `r ${seeded(seed('__event_authority'))}`,
    `r ${program}`,
    `w ${arrayOf(-1)}`,
    `w ${arrayOf(-2)}`,
    `w ${arrayOf(-3)}`,
  ])
  expect(Buffer.from(sale?.data ?? []).toString('hex')).toBe(
    `414b3f4ceb5b5b88${'0500000000000000'}${'0100000000000000'}0200000000000100`,
  )
})

test('goes up when it buys, from the account that is given in the token that is given', () => {
  const bought = named(play(139, [1, 5, 511], true))
  expect(bought?.slice(4, 6)).toEqual([`w ${key(21)}`, `w ${key(20)}`])
  expect(bought?.slice(16)).toEqual([1, 5, 511].map((index) => `w ${arrayOf(index)}`))
})

test('names the wider bitmap of a pool that has one', () => {
  expect(named(play(0, [0], false, true))?.[1]).toBe(`r ${seeded(seed('bitmap'), pool)}`)
})

test.each([
  ['without liquidity that way', 0, [5]],
  ['whose price is out of its own bitmap', 2_000_000_000, [0]],
  ['whose price is far below it', -2_000_000_000, [0]],
])('a pool %s is not tried', (_, active, held) => {
  expect(play(active, held, false)).toBeUndefined()
})
