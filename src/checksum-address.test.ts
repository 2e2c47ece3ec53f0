import fc from 'fast-check'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { checksumAddress, parseAddress, spellAddresses } from './checksum-address.js'
import { toPaddedHex } from './hex.js'

const anyAddress = fc.bigInt(0n, 2n ** 160n - 1n).map((value) => toPaddedHex(value, 20))

/** Given in EIP-55. */
test.each([
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
])('%s', (spelling) => {
  expect(checksumAddress(spelling.toLowerCase() as `0x${string}`)).toBe(spelling)
  expect(parseAddress(spelling)).toBe(spelling.toLowerCase())
})

test('spells any address as viem does, the first time and again', () => {
  fc.assert(
    fc.property(anyAddress, (address) => {
      expect(checksumAddress(address)).toBe(getAddress(address))
      expect(checksumAddress(address)).toBe(getAddress(address))
    }),
  )
})

test('reads any spelling that carries the right checksum or none, and no other', () => {
  fc.assert(
    fc.property(anyAddress, fc.nat(39), (address, at) => {
      const right = checksumAddress(address)
      expect(parseAddress(right)).toBe(address)
      expect(parseAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(address)
      const digit = right.charAt(at + 2)
      const other = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase()
      const wrong = right.slice(0, at + 2) + other + right.slice(at + 3)
      const digits = wrong.slice(2)
      fc.pre(wrong !== right && digits !== digits.toLowerCase() && digits !== digits.toUpperCase())
      expect(parseAddress(wrong)).toBeUndefined()
    }),
  )
})

test('reads nothing else', () => {
  fc.assert(fc.property(fc.anything(), (value) => parseAddress(value) === undefined))
})

test.each([
  ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed took it.', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed took it.'],
  [`a word of 32 bytes stays: 0x${'ab'.repeat(32)}`, `a word of 32 bytes stays: 0x${'ab'.repeat(32)}`],
  ['so does the function 0xa9059cbb', 'so does the function 0xa9059cbb'],
])('spells the addresses in a sentence: %s', (text, spelled) => expect(spellAddresses(text)).toBe(spelled))
