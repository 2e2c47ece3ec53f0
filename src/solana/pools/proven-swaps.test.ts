import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SolanaAccount } from '../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { UPGRADEABLE_LOADER } from '../programs.js'
import { POOL_LAYOUTS } from './layouts.js'
import type { Pool } from './pool.js'
import { isProven, keepProven, type ProvenSwap, readProven } from './proven-swaps.js'
import { readPool } from './read-pool.js'
import { isVerified } from './swap.js'

const key = (byte: number) => addressAt(new Uint8Array(32).fill(byte))
const layout = POOL_LAYOUTS.find(({ id }) => id === 'raydium-clmm') ?? expect.unreachable()
const { program } = layout
const account = (owner: SolanaAddress, data: Uint8Array, executable = false): SolanaAccount => ({
  ...{ lamports: 1n, owner, executable, data },
})
const pool: Pool = readPool(key(1), account(program, new Uint8Array(layout.minBytes)), 0n) ?? expect.unreachable()

/** The cluster's word for the program, deployed in this slot. */
function deployed(slot: bigint) {
  const code = new Uint8Array(45)
  const view = new DataView(code.buffer)
  view.setUint32(0, 3, true)
  view.setBigUint64(4, slot, true)
  const head = Uint8Array.from([2, 0, 0, 0, ...addressBytes(key(2))])
  return new Map([
    [program, account(UPGRADEABLE_LOADER, head, true)],
    [key(2), account(UPGRADEABLE_LOADER, code)],
  ])
}

const proven: ProvenSwap[] = [{ venue: 'raydium-clmm', program, deployedSlot: '400000000' }]
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-proven-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a refused swap counts once it was proven with the same code, and no longer with other code', () => {
  const counts = (slot: bigint) => isVerified({ ...pool, isProven: isProven(proven, pool, deployed(slot)) })
  expect([counts(400_000_000n), counts(400_000_001n), isVerified(pool)]).toEqual([true, false, false])
})

test('proof of one exchange says nothing of another, nor of another program', () => {
  const accounts = deployed(400_000_000n)
  expect(isProven(proven, { ...pool, venue: 'meteora-dlmm' }, accounts)).toBe(false)
  expect(isProven(proven, { ...pool, program: key(3) }, accounts)).toBe(false)
  expect(isProven(proven, pool, new Map())).toBe(false)
})

test('what is kept is read again, and the latest word on a program is the one that counts', () => {
  const other: ProvenSwap = { venue: 'pump-swap', program: key(4), deployedSlot: '0' }
  expect(readProven(folder)).toEqual([])
  keepProven(folder, [program, other.program], [...proven, other])
  expect(readProven(folder)).toEqual([...proven, other])
  keepProven(folder, [program], [])
  expect(readProven(folder)).toEqual([other])
})

test.each([
  ['no JSON', '{', /solana-proven\.json: no JSON that can be read/],
  [
    'an exchange that is not played',
    '{"proven":[{"venue":"x","program":"x","deployedSlot":"1"}]}',
    /proven\[0\]\.venue/,
  ],
  ['a field too many', '{"proven":[],"all":true}', /all: there is no such field/],
])('a file with %s is refused by its path', (_, text, problem) => {
  writeFileSync(join(folder, 'solana-proven.json'), text)
  expect(() => readProven(folder)).toThrow(problem)
})
