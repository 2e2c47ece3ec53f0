import { getCompiledTransactionMessageDecoder, getProgramDerivedAddress, getTransactionDecoder } from '@solana/kit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressAt } from './address.js'
import type { Instruction } from './instruction.js'
import { compileTransaction, TransactionTooWideError } from './message.js'
import { findProgramAddress } from './pda.js'

const key = (byte: number) => addressAt(new Uint8Array(32).fill(byte))
const payer = key(1)

const meta = fc.record({
  address: fc.integer({ min: 1, max: 20 }).map(key),
  signer: fc.boolean(),
  writable: fc.boolean(),
})
const instruction: fc.Arbitrary<Instruction> = fc.record({
  program: fc.integer({ min: 30, max: 33 }).map(key),
  accounts: fc.array(meta, { maxLength: 12 }),
  data: fc.uint8Array({ maxLength: 300 }),
})

describe('compileTransaction', () => {
  test('is read by the library as what was asked for', () => {
    fc.assert(
      fc.property(fc.array(instruction, { minLength: 1, maxLength: 4 }), (instructions) => {
        const { bytes, accounts } = compileTransaction(payer, instructions)
        const { messageBytes } = getTransactionDecoder().decode(bytes)
        const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
        if (message.version !== 'legacy') throw new Error('not a legacy message')
        expect(message.staticAccounts).toEqual(accounts)
        expect(message.staticAccounts[0]).toBe(payer)
        const read = message.instructions.map(
          ({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
            program: accounts[programAddressIndex],
            accounts: accountIndices.map((index) => accounts[index]),
            data: [...data],
          }),
        )
        expect(read).toEqual(
          instructions.map(({ program, accounts: metas, data }) => ({
            program,
            accounts: metas.map(({ address }) => address),
            data: [...data],
          })),
        )
        const wanted = instructions.flatMap(({ accounts: metas }) => metas)
        const { numSignerAccounts } = message.header
        for (const { address, signer } of wanted) {
          if (signer) expect(accounts.indexOf(address)).toBeLessThan(numSignerAccounts)
        }
      }),
    )
  })

  test('refuses what no transaction can name', () => {
    const accounts = Array.from({ length: 64 }, (_, i) => ({ address: key(100 + i), signer: false, writable: false }))
    expect(() => compileTransaction(payer, [{ program: key(2), accounts, data: new Uint8Array() }])).toThrow(
      TransactionTooWideError,
    )
  })
})

test('addresses of programs are those that the library finds', async () => {
  const seeds = fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(seeds, async (given) => {
      const [expected] = await getProgramDerivedAddress({ programAddress: key(40), seeds: given })
      expect(findProgramAddress(key(40), given)).toBe(expected)
    }),
    { numRuns: 50 },
  )
})
