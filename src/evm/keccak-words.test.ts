import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex, EMPTY_CODE_HASH } from '../hex.js'
import { keccak256, keccakHex, keccakPair, keccakWord } from './keccak-words.js'

test('hashes nothing to the known hash of nothing', () => {
  expect(keccakHex(new Uint8Array(0))).toBe(EMPTY_CODE_HASH)
})

test('agrees with another implementation at every length around a block', () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => (index * 7) % 256)
  for (let length = 0; length <= bytes.length; length += 1) {
    expect(bytesToHex(keccak256(bytes.subarray(0, length)))).toBe(bytesToHex(keccak_256(bytes.subarray(0, length))))
  }
})

test('agrees with another implementation on inputs larger than its buffer', () => {
  for (const length of [65_007, 65_008, 65_009, 130_016, 200_000]) {
    const bytes = new Uint8Array(length).fill(length % 251)
    expect(bytesToHex(keccak256(bytes))).toBe(bytesToHex(keccak_256(bytes)))
  }
})

test('hashes any part of any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat(500), fc.nat(500), (bytes, from, size) => {
      const start = Math.min(from, bytes.length)
      const length = Math.min(size, bytes.length - start)
      const expected = BigInt(bytesToHex(keccak_256(bytes.subarray(start, start + length))))
      expect(BigInt(keccakWord(bytes, start, length))).toBe(expected)
    }),
  )
})

test('hashes one after the other, whatever stands in its memory', () => {
  // Padding stays where the same length follows; what fills all blocks writes over it.
  const length = fc.constantFrom(0, 1, 63, 64, 65, 128, 129, 135, 136, 137, 272, 65_000, 66_000, 130_100)
  const input = fc.tuple(length, fc.nat(255), fc.boolean())
  fc.assert(
    fc.property(fc.array(input, { minLength: 2, maxLength: 8 }), (inputs) => {
      for (const [size, byte, asPair] of inputs) {
        const bytes = new Uint8Array(size).fill(byte)
        const isPair = asPair && size === 64
        const word = isPair ? keccakPair(new DataView(bytes.buffer), 0) : keccakWord(bytes, 0, size)
        expect(BigInt(word)).toBe(BigInt(bytesToHex(keccak_256(bytes))))
      }
    }),
    { numRuns: 60 },
  )
})

test('hashes pairs of words as they are, whatever was hashed before', () => {
  const isRight = (pair: Uint8Array, start: number) => {
    const bytes = new Uint8Array(start + 64)
    bytes.set(pair, start)
    expect(BigInt(keccakPair(new DataView(bytes.buffer), start))).toBe(BigInt(bytesToHex(keccak_256(pair))))
  }
  // More than are remembered.
  const counted = (i: number) => new Uint8Array(64).fill(i >>> 8, 31, 32).fill(i, 63)
  for (let i = 0; i < 3_000; i += 1) isRight(counted(i), i % 40)
  for (let i = 0; i < 3_000; i += 7) isRight(counted(i), 0)
  const change = fc.tuple(fc.nat(63), fc.integer({ min: 1, max: 255 }))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), change, (pair, [at, by]) => {
      const other = pair.map((byte, i) => (i === at ? byte ^ by : byte))
      for (const each of [pair, other, pair, other]) isRight(each, 0)
    }),
  )
})
