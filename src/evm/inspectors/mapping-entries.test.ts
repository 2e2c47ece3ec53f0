import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Hex, hexToBytes } from '../../hex.js'
import { MAX_KEY_BYTES, MappingEntries } from './mapping-entries.js'

const POOL = 'b0b0000000000000000000000000000000000001'
const ROUTER = 'c0de000000000000000000000000000000000002'
const SEED = '87a211a2'
const SLOT = 1n << 200n

const word = (digits: string) => digits.padStart(64, '0')
const at = (digits: string, slot = SLOT, entries = new MappingEntries()) => {
  entries.add(slot, hexToBytes(`0x${digits}` as Hex))
  return entries.at(slot)
}
const number = (digits: string) => BigInt(`0x${digits}`)

describe('what was hashed tells the key and the mapping', () => {
  test('key, place: Solidity', () => {
    expect(at(word(POOL) + word('5'))).toEqual({ key: number(POOL), place: 5n })
    expect(at(word('7') + word('5'))).toEqual({ key: 7n, place: 5n })
  })

  test('place, key: Vyper', () => {
    expect(at(word('5') + word(POOL))).toEqual({ key: number(POOL), place: 5n })
  })

  test.each([
    ['Solidity', (place: bigint) => word(ROUTER) + word(place.toString(16))],
    ['Vyper', (place: bigint) => word(place.toString(16)) + word(ROUTER)],
  ])('an entry as the place, where mappings are nested: %s', (_, bytesOf) => {
    const entries = new MappingEntries()
    const owner = at(word(POOL) + word('3'), SLOT, entries)
    expect(at(bytesOf(SLOT), SLOT + 99n, entries)).toEqual({ key: number(ROUTER), place: SLOT, within: owner })
  })

  test('an address and a seed, on either side', () => {
    const entry = { key: number(POOL), place: number(SEED) }
    expect(at(`${POOL}${'00'.repeat(8)}${SEED}`)).toEqual(entry)
    expect(at(`${word(SEED)}${POOL}`)).toEqual(entry)
    expect(at(`${POOL}${word(SEED)}`)).toEqual(entry)
  })

  test('two addresses around a seed', () => {
    expect(at(`${POOL}${'00'.repeat(8)}${SEED}${ROUTER}`)).toEqual({
      key: number(ROUTER),
      place: number(POOL),
      within: { key: number(POOL), place: number(SEED) },
    })
  })
})

describe('nothing is told of', () => {
  test.each([
    ['numbers, as places of arrays are hashed from', word('5')],
    ['hashes', 'a1'.repeat(32)],
    ['an address beside a hash', `${POOL}${'a1'.repeat(32)}`],
    ['fewer bytes than an address has', 'a1'.repeat(19)],
  ])('%s', (_, digits) => {
    expect(at(digits)).toBeUndefined()
  })
})

test('any bytes are read to an end, and a key has at most as many bits as a word', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: MAX_KEY_BYTES }), (bytes) => {
      const entries = new MappingEntries()
      entries.add(SLOT, bytes)
      expect((entries.at(SLOT)?.key ?? 0n) >> 256n).toBe(0n)
    }),
  )
})
