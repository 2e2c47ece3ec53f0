import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ADDRESS_MASK, type Address, toPaddedHex, WORD_MASK } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { createSnapshot } from './known-state.js'
import { decodeReadSet, encodeReadSet, growReadSet, missesOf } from './read-set.js'
import type { StateMiss } from './state-reader.js'

const addressOf = (value: bigint): Address => toPaddedHex(value, 20)
const anyAddress = fc.bigInt({ min: 0n, max: ADDRESS_MASK }).map(addressOf)
const anySlot = fc.bigInt({ min: 0n, max: WORD_MASK })
const anyMiss: fc.Arbitrary<StateMiss> = fc.oneof(
  fc.record({ kind: fc.constant('account' as const), address: anyAddress }),
  fc.record({ kind: fc.constant('storage' as const), address: anyAddress, slot: anySlot }),
)

function stateWith(addresses: readonly Address[], code: Uint8Array) {
  const state = createSnapshot()
  state.code.set(keccak256(code), code)
  for (const address of addresses) state.accounts.set(address, { balance: 1n, nonce: 7n, codeHash: keccak256(code) })
  return state
}

test('a read set survives being stored', () => {
  fc.assert(
    fc.property(fc.array(anyMiss, { maxLength: 40 }), (reads) => {
      const state = stateWith(
        reads.flatMap((read) => (read.kind === 'account' ? [read.address] : [])),
        Uint8Array.of(0x60, 0xf0),
      )
      const readSet = growReadSet(undefined, reads, state)
      expect(decodeReadSet(encodeReadSet(readSet))).toEqual(readSet)
    }),
  )
})

test('whatever a store holds, it is a read set or nothing', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => decodeReadSet(bytes) === undefined))
  fc.assert(
    fc.property(fc.json(), (text) => {
      const decoded = decodeReadSet(Buffer.from(text))
      if (decoded) expect(missesOf(decoded)).toBeInstanceOf(Array)
    }),
  )
})

test('grows by what was read, and is begun anew when it outgrows its bounds', () => {
  const slots = (from: number, count: number): StateMiss[] =>
    Array.from({ length: count }, (_, i) => ({ kind: 'storage', address: addressOf(1n), slot: BigInt(from + i) }))
  let readSet = growReadSet(undefined, slots(0, 1_000), createSnapshot())
  readSet = growReadSet(readSet, slots(1_000, 24), createSnapshot())
  expect(missesOf(readSet)).toHaveLength(1_024)
  readSet = growReadSet(readSet, slots(5_000, 3), createSnapshot())
  expect(missesOf(readSet)).toEqual(slots(5_000, 3))
})

describe('a nonce is remembered', () => {
  const nonceOf = (code: Uint8Array) => {
    const address = addressOf(1n)
    return growReadSet(undefined, [{ kind: 'account', address }], stateWith([address], code)).accounts.get(address)
      ?.nonce
  }
  test('of code that cannot use it', () => expect(nonceOf(Uint8Array.of(0x60, 0xf0, 0x00))).toBe(7n))
  test('not of code that creates', () => expect(nonceOf(Uint8Array.of(0x5f, 0xf0))).toBeUndefined())
  test('not of a proxy', () => expect(nonceOf(Uint8Array.of(0x5f, 0xf4))).toBeUndefined())
  test('not of a delegated account', () => expect(nonceOf(Uint8Array.of(0xef, 0x01, 0x00))).toBeUndefined())
  test('not of an account without code', () => expect(nonceOf(new Uint8Array(0))).toBeUndefined())
})
