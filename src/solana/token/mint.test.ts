import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SolanaAccount } from '../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { packed } from '../instruction.js'
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.js'
import { EXTENSIONS } from './extensions.js'
import { parseMint } from './mint.js'

const address = addressAt(new Uint8Array(32).fill(3))
const owner = addressAt(new Uint8Array(32).fill(9))
const fixed = packed([32, 1], addressBytes(owner), [64, 1_000], [8, 6], [8, 1], [32, 0], new Uint8Array(32))
const account = (data: Uint8Array, program: SolanaAddress = TOKEN_2022_PROGRAM): SolanaAccount => ({
  lamports: 1n,
  owner: program,
  executable: false,
  data,
})
const extended = (...parts: readonly Uint8Array[]) => account(packed(fixed, new Uint8Array(83), [8, 1], ...parts))
const entry = (type: number, value: Uint8Array) => packed([16, type], [16, value.length], value)

describe('parseMint', () => {
  test('reads a plain mint', () => {
    expect(parseMint(address, account(fixed, TOKEN_PROGRAM))).toMatchObject({
      supply: 1_000n,
      decimals: 6,
      mintAuthority: owner,
      freezeAuthority: undefined,
      malformed: false,
    })
  })

  test.each([
    ['no account', undefined],
    ['another program', account(fixed, SYSTEM_PROGRAM)],
    ['a legacy mint with something behind it', account(packed(fixed, [8, 0]), TOKEN_PROGRAM)],
    ['a token account', account(new Uint8Array(165).fill(1), TOKEN_PROGRAM)],
    ['a multisig of Token-2022', account(new Uint8Array(355).fill(1))],
    ['a mint that was never initialised', account(new Uint8Array(82), TOKEN_PROGRAM)],
    ['an account of the other kind', account(packed(fixed, new Uint8Array(83), [8, 2]))],
    ['padding that is not empty', account(packed(fixed, new Uint8Array(83).fill(1), [8, 1]))],
    ['a program', { ...account(fixed), executable: true }],
  ])('%s is none', (_, given) => {
    expect(parseMint(address, given)).toBeUndefined()
  })

  test('an authority of zeroes is none', () => {
    const mint = parseMint(address, extended(entry(12, new Uint8Array(32))))
    expect(mint?.extensions.permanentDelegate).toEqual({ delegate: undefined })
  })

  test('unknown extensions are named by their number', () => {
    const mint = parseMint(address, extended(entry(77, new Uint8Array(3)), entry(9, new Uint8Array())))
    expect(mint).toMatchObject({ unknownExtensions: [77], extensionNames: ['nonTransferable'], malformed: false })
  })

  test.each([...EXTENSIONS].filter(([, { bytes }]) => bytes !== undefined))(
    'extension %i has one length',
    (type, { bytes = 0 }) => {
      expect(parseMint(address, extended(entry(type, new Uint8Array(bytes))))?.malformed).toBe(false)
      expect(parseMint(address, extended(entry(type, new Uint8Array(bytes + 1))))?.malformed).toBe(true)
    },
  )

  test('metadata whose texts run past their end is malformed', () => {
    const texts = packed(new Uint8Array(64), [32, 4], new TextEncoder().encode('Name'), [32, 999])
    expect(parseMint(address, extended(entry(19, texts)))?.malformed).toBe(true)
  })

  test('never throws, whatever the bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 500 })
    fc.assert(
      fc.property(bytes, fc.boolean(), (rest, isExtended) => {
        parseMint(address, isExtended ? extended(rest) : account(rest))
      }),
      { numRuns: 1_000 },
    )
  })

  test('never throws on known extensions with any content', () => {
    const known = fc.tuple(fc.constantFrom(...EXTENSIONS.keys()), fc.uint8Array({ maxLength: 200 }))
    fc.assert(
      fc.property(fc.array(known, { maxLength: 6 }), (entries) => {
        expect(parseMint(address, extended(...entries.map(([type, value]) => entry(type, value))))).toBeDefined()
      }),
      { numRuns: 500 },
    )
  })
})
