import { createHash } from 'node:crypto'
import { getBase58Decoder, getBase58Encoder, isAddress } from '@solana/kit'
import { expect, test } from 'vitest'
import { parseSolanaAddress } from './address.js'
import { decodeBase58, encodeBase58 } from './base58.js'

const hash = (i: number, length: number) =>
  new Uint8Array(createHash('shake256', { outputLength: length }).update(`${i}`).digest())
const samples = [
  ...Array.from({ length: 200 }, (_, i) => hash(i, 1 + (i % 64))),
  ...[0, 1, 5, 31, 32].map((zeros) => Uint8Array.from(hash(zeros, 32)).fill(0, 0, zeros)),
  new Uint8Array(0),
  new Uint8Array(64).fill(0xff),
]

test('bytes are written as the library writes them, and read again', () => {
  for (const bytes of samples) {
    const text = encodeBase58(bytes)
    expect(text).toBe(getBase58Decoder().decode(bytes))
    expect(decodeBase58(text)).toEqual(bytes)
    expect(decodeBase58(text)).toEqual(new Uint8Array(getBase58Encoder().encode(text)))
  }
})

test.each(['0', 'O', 'l', 'I', 'a b', '1é', '+'])('%s is no base58', (text) => {
  expect(decodeBase58(text)).toBeUndefined()
})

test.each([
  '11111111111111111111111111111111',
  '111111111111111111111111111111111',
  '1111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
  'So1111111111111111111111111111111111111111',
  'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG',
  'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '',
])('%s is an address where the library says so', (text) => {
  expect(parseSolanaAddress(text) === text).toBe(isAddress(text))
})
