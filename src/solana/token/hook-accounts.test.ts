import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hookEntry, seed } from '../../devnet/solana/scene.js'
import type { SolanaAccount } from '../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { packed } from '../instruction.js'
import { findProgramAddress } from '../pda.js'
import { extraAccountsAddress, hookAccounts } from './hook-accounts.js'

const key = (byte: number) => addressAt(new Uint8Array(32).fill(byte))
const hook = key(50)
const transfer = { mint: key(1), from: key(2), to: key(3), authority: key(4), amount: 1_234n }
const list = extraAccountsAddress(hook, transfer.mint) ?? hook

function resolve(
  entries: readonly Uint8Array[],
  others: readonly [SolanaAddress, Uint8Array][] = [],
  count = entries.length,
) {
  const data = packed(new Uint8Array(8), [32, 0], [32, count], ...entries)
  const accounts = new Map<SolanaAddress, Uint8Array>([[list, data], ...others])
  const read = (address: SolanaAddress): SolanaAccount | undefined => {
    const found = accounts.get(address)
    return found && { lamports: 1n, owner: hook, executable: false, data: found }
  }
  return hookAccounts(read, hook, transfer).map(({ address }) => address)
}

describe('hookAccounts', () => {
  test('a hook without a list is named alone', () => {
    expect(hookAccounts(() => undefined, hook, transfer).map(({ address }) => address)).toEqual([hook])
  })

  test('literal keys come first, then the hook and its list', () => {
    expect(resolve([hookEntry.literal(key(60))])).toEqual([key(60), hook, list])
  })

  test('seeds: words, keys of accounts, bytes of the instruction, bytes of data', () => {
    const data = packed([64, 7])
    const entries = [
      hookEntry.literal(key(60)),
      hookEntry.ownPda(packed(seed.literal('word'), seed.key(2), seed.instruction(8, 8), seed.data(5, 0, 4))),
    ]
    const seeds = [
      new TextEncoder().encode('word'),
      addressBytes(transfer.to),
      packed([64, transfer.amount]),
      data.subarray(0, 4),
    ]
    expect(resolve(entries, [[key(60), data]])).toEqual([key(60), findProgramAddress(hook, seeds), hook, list])
  })

  test('addresses of another program, and keys that stand in data', () => {
    const data = packed([64, 0], addressBytes(key(70)))
    const entries = [hookEntry.literal(key(60)), hookEntry.foreignPda(5, seed.key(0)), hookEntry.keyInData(5, 8)]
    const foreign = findProgramAddress(key(60), [addressBytes(transfer.from)])
    expect(resolve(entries, [[key(60), data]])).toEqual([key(60), foreign, key(70), hook, list])
  })

  test.each([
    ['data that does not exist', [hookEntry.keyInData(5, 0)]],
    ['an account that comes later', [hookEntry.ownPda(seed.key(9))]],
    ['bytes past the end of the instruction', [hookEntry.keyInInstruction(8)]],
    ['a seed of an unknown kind', [hookEntry.ownPda(Uint8Array.of(9))]],
  ])('%s ends the list', (_, entries) => {
    expect(resolve([...entries, hookEntry.literal(key(61))])).toEqual([hook, list])
  })

  test('a count that lies reads no further than the data', () => {
    expect(resolve([hookEntry.literal(key(60))], [], 4_000_000_000)).toEqual([key(60), hook, list])
  })

  test('the sender alone signs', () => {
    const signed = hookEntry.literal(key(60))
    signed[33] = 1
    const read = () => ({
      lamports: 1n,
      owner: hook,
      executable: false,
      data: packed(new Uint8Array(8), [32, 0], [32, 1], signed),
    })
    expect(hookAccounts(read, hook, transfer).every(({ signer }) => !signer)).toBe(true)
  })

  test('never throws, and never names more accounts than a transaction holds', () => {
    const entries = fc.array(fc.uint8Array({ minLength: 35, maxLength: 35 }), { maxLength: 40 })
    fc.assert(
      fc.property(entries, fc.integer({ min: 0, max: 0xffffffff }), (given, count) => {
        expect(resolve(given, [], count).length).toBeLessThanOrEqual(34)
      }),
      { numRuns: 100 },
    )
  })
})
