import { expect, test } from 'vitest'
import type { SolanaAccount } from '../../solana/account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../solana/address.js'
import { packed } from '../../solana/instruction.js'
import { TOKEN_2022_PROGRAM } from '../../solana/programs.js'
import { type Mint, parseMint } from '../../solana/token/mint.js'
import { readAllNames } from './read-names.js'

const [mint, other, program] = [8, 9, 10].map((fill) => addressAt(new Uint8Array(32).fill(fill))) as [
  SolanaAddress,
  SolanaAddress,
  SolanaAddress,
]
const NONE = new Uint8Array(32)
const text = (words: string) => packed([32, words.length], new TextEncoder().encode(words))
const metadata = (name: string) => packed(NONE, addressBytes(mint), text(name), text('SYM'), text(''), [32, 0])
const tlv = (type: number, value: Uint8Array) => packed([16, type], [16, value.length], value)
const account = (owner: SolanaAddress, data: Uint8Array): SolanaAccount => ({
  ...{ lamports: 1n, owner, executable: false, data },
})
/** Without authorities, with six decimals. */
const plain = packed(new Uint8Array(36), [64, 1_000], [8, 6], [8, 1], new Uint8Array(36))
const mintWith = (...extensions: Uint8Array[]) =>
  account(TOKEN_2022_PROGRAM, packed(plain, new Uint8Array(165 - plain.length), [8, 1], ...extensions))
const pointer = (to: SolanaAddress) => tlv(18, packed(NONE, addressBytes(to)))

function namesOf(of: SolanaAccount, pointed?: SolanaAccount): string[] {
  const parsed = parseMint(mint, of) as Mint
  return readAllNames(parsed, (address) => (address === other ? pointed : undefined)).map(({ name }) => name)
}

const interfaceData = (name: string) =>
  packed(Uint8Array.of(112, 132, 90, 90, 11, 88, 157, 87), [32, metadata(name).length], metadata(name))

test('an account that the mint points to is read, and what the mint says as well', () => {
  const of = mintWith(pointer(other), tlv(19, metadata('Harmless')))
  expect(namesOf(of, account(program, interfaceData('USD Coin')))).toEqual(['USD Coin', 'Harmless'])
  expect(namesOf(of, mintWith(tlv(19, metadata('USD Coin'))))).toEqual(['USD Coin', 'Harmless'])
})

test('a mint that points to itself is read once, and one that points nowhere says what it says', () => {
  expect(namesOf(mintWith(pointer(mint), tlv(19, metadata('Plain'))))).toEqual(['Plain'])
  expect(namesOf(mintWith(pointer(other), tlv(19, metadata('Plain'))))).toEqual(['Plain'])
})

test.each([
  ['nothing', new Uint8Array()],
  ['a length that runs past the end', interfaceData('USD Coin').subarray(0, 90)],
])('%s behind the pointer is no name', (_, data) => {
  expect(namesOf(mintWith(pointer(other)), account(program, data))).toEqual([''])
})
