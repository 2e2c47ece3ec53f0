import { describe, expect, test } from 'vitest'
import type { SolanaAccount } from './account.js'
import { addressAt, addressBytes, type SolanaAddress } from './address.js'
import { classifyAuthority, isReplaceableByWallet } from './authority.js'
import { packed } from './instruction.js'
import { isOnCurve } from './pda.js'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, UPGRADEABLE_LOADER } from './programs.js'

const find = (isWanted: (address: SolanaAddress) => boolean, skip = 0): SolanaAddress => {
  const all = Array.from({ length: 64 }, (_, i) => addressAt(new Uint8Array(32).fill(i + 1)))
  return all.filter(isWanted)[skip] ?? SYSTEM_PROGRAM
}
const [ann, bob] = [find(isOnCurve, 0), find(isOnCurve, 1)]
const [vault, program, code] = [0, 1, 2].map((i) => find((each) => !isOnCurve(each), i)) as SolanaAddress[]
const account = (owner: SolanaAddress, data: Uint8Array = new Uint8Array(), executable = false): SolanaAccount => ({
  ...{ lamports: 1n, owner, data, executable },
})
const multisig = (required: number, ...keys: SolanaAddress[]) =>
  account(
    TOKEN_PROGRAM,
    packed(Uint8Array.of(required, keys.length, 1), ...keys.map(addressBytes), new Uint8Array(32 * (11 - keys.length))),
  )

describe('classifyAuthority', () => {
  test.each<[string, SolanaAccount | undefined, string]>([
    ['two of two people', multisig(2, ann, bob), 'multisig'],
    ['two of three, where no one has two places', multisig(2, ann, bob, vault ?? ann), 'multisig'],
    ['three of three, where one has two places', multisig(3, ann, ann, bob), 'multisig'],
    ['one of one', multisig(1, ann), 'wallet'],
    ['one of two', multisig(1, ann, bob), 'wallet'],
    ['two of three with one key three times', multisig(2, ann, ann, ann), 'wallet'],
    ['three of five with one key in three places', multisig(3, ann, bob, ann, vault ?? bob, ann), 'wallet'],
    ['three of five with one key in two places', multisig(3, ann, bob, ann, vault ?? bob, program ?? bob), 'multisig'],
    ['two of three with one key twice', multisig(2, ann, bob, ann), 'wallet'],
  ])('%s is a %s', (_, held, kind) => {
    expect(classifyAuthority(vault, held).kind).toBe(kind)
  })

  test('a key that was given to a program is a wallet all the same', () => {
    expect(classifyAuthority(ann, account(program ?? ann)).kind).toBe('wallet')
    expect(classifyAuthority(vault, account(program ?? ann)).kind).toBe('program')
  })
})

describe('isReplaceableByWallet', () => {
  const held = account(program ?? ann)
  const codeOf = (authority: SolanaAddress | undefined) =>
    packed([32, 3], [64, 1], [8, authority ? 1 : 0], authority ? addressBytes(authority) : new Uint8Array(32))
  const read = (authority: SolanaAddress | undefined) => (address: SolanaAddress) => {
    if (address === program) return account(UPGRADEABLE_LOADER, packed([32, 2], addressBytes(code ?? ann)), true)
    return address === code ? account(UPGRADEABLE_LOADER, codeOf(authority)) : undefined
  }

  test.each<[string, SolanaAddress | undefined, boolean]>([
    ['one wallet', ann, true],
    ['no key', undefined, false],
    ['a program', vault, false],
  ])('code that %s can replace', (_, authority, expected) => {
    expect(isReplaceableByWallet(read(authority), held)).toBe(expected)
    expect(classifyAuthority(vault, held, expected).kind).toBe(expected ? 'wallet' : 'program')
  })

  test('built-in programs have no one behind them', () => {
    expect(isReplaceableByWallet(read(ann), account(SYSTEM_PROGRAM))).toBe(false)
    expect(isReplaceableByWallet(read(ann), undefined)).toBe(false)
  })
})
