import { expect, test } from 'vitest'
import { operation, type Term } from '../../evm/inspectors/term.js'
import { bytesToHex } from '../../hex.js'
import { otherwise, type RawInput } from './raw-input.js'

const SENDER = `0x${'5e'.repeat(20)}` as const
const INPUT: RawInput = { from: SENDER, data: new Uint8Array(4), value: 0n, waitSeconds: 0 }

const constant = (value: bigint): Term => ({ kind: 'constant', value })
const argument = (offset: number, value = 0n): Term => ({ kind: 'argument', offset, value })
const environment = (name: string, value: bigint): Term => ({ kind: 'environment', name, value })
const isEqual = (term: Term, value: bigint) => operation('EQ', [term, constant(value)])

test('writes the word that is asked for where it is asked for, and makes room for it', () => {
  const [first] = otherwise(INPUT, isEqual(operation('XOR', [argument(7), constant(41n)]), 1000n))
  expect(first && bytesToHex(first.data)).toBe(`0x${'00'.repeat(7)}${(1000n ^ 41n).toString(16).padStart(64, '0')}`)
})

test('tells two words of the same value apart', () => {
  const both = otherwise(INPUT, isEqual(operation('ADD', [argument(4), argument(36)]), 9n))
  expect(both.map(({ data }) => data.length)).toEqual(expect.arrayContaining([36, 68]))
})

test.each([
  ['the coins', environment('CALLVALUE', 0n), 1337n, { value: 1337n }],
  [
    'the sender',
    environment('CALLER', BigInt(SENDER)),
    BigInt(`0x${'ab'.repeat(20)}`),
    { from: `0x${'ab'.repeat(20)}` },
  ],
  ['the time', environment('TIMESTAMP', 1_000n), 1_090n, { waitSeconds: 90 }],
])('solves for %s', (_, leaf, wanted, expected) => {
  expect(otherwise(INPUT, isEqual(leaf, wanted))).toContainEqual(expect.objectContaining(expected))
})

test('changes the length', () => {
  const lengths = otherwise(INPUT, isEqual(environment('CALLDATASIZE', 4n), 71n)).map(({ data }) => data.length)
  expect(lengths).toContain(71)
})

test('has no answer that a sender cannot give: long data, more coins than there are, dead senders, years of waiting', () => {
  expect(otherwise(INPUT, isEqual(environment('CALLDATASIZE', 4n), 1n << 40n))).toEqual([])
  expect(otherwise(INPUT, isEqual(environment('CALLVALUE', 0n), 1n << 100n))).toEqual([])
  expect(otherwise(INPUT, isEqual(environment('CALLER', BigInt(SENDER)), 0xdeadn))).toEqual([])
  expect(otherwise(INPUT, isEqual(environment('TIMESTAMP', 1_000n), 10_000_000_000n))).toEqual([])
  expect(otherwise(INPUT, isEqual(environment('BASEFEE', 7n), 8n))).toEqual([])
})

test('makes the call longer first, where a list has to end before it does', () => {
  const end = operation('ADD', [constant(36n), operation('SHL', [constant(5n), argument(36, 2n)])])
  const [first] = otherwise(INPUT, operation('GT', [end, environment('CALLDATASIZE', 68n)]))
  expect(first?.data.length).toBeGreaterThanOrEqual(100)
})
