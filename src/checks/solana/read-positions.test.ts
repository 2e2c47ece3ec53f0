import { expect, test } from 'vitest'
import { mintAccount as mintOf, tokenAccount } from '../../devnet/solana/token-data.js'
import type { SolanaAccount } from '../../solana/account.js'
import { addressAt, type SolanaAddress } from '../../solana/address.js'
import { INCINERATOR } from '../../solana/programs.js'
import { lostOf } from './read-positions.js'

const at = (byte: number) => addressAt(new Uint8Array(32).fill(byte))
const [LP, OTHER, PERSON] = [at(1), at(2), at(3)]

const mintAccount = mintOf({ supply: 1_000n })
const accounts = new Map<SolanaAddress, SolanaAccount>([
  [at(11), tokenAccount({ mintAccount, mint: LP, owner: INCINERATOR, amount: 30n })],
  [at(12), tokenAccount({ mintAccount, mint: LP, owner: PERSON, amount: 50n })],
  [at(13), tokenAccount({ mintAccount, mint: OTHER, owner: INCINERATOR, amount: 70n })],
])
const listed = (...bytes: number[]) => bytes.map((byte) => ({ address: at(byte) }))

test('what no key can move is lost, and what a person has is not', () => {
  expect(lostOf(LP, listed(11, 12), accounts)).toBe(30n)
})

test('an account that a node lists twice, or that is of another token, makes nothing of it lost', () => {
  expect(lostOf(LP, listed(11, 11, 11), accounts)).toBe(30n)
  expect(lostOf(LP, listed(13, 12), accounts)).toBe(0n)
})
