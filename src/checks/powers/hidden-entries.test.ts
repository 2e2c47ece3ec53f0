import { expect, test } from 'vitest'
import { readFacts } from '../../bytecode/facts.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { type Address, hexToBytes } from '../../hex.js'
import { hiddenEntries, hiddenWritesOf } from './hidden-entries.js'
import type { TokenCode } from './read-contracts.js'

const TOKEN: Address = '0x00000000000000000000000000000000000000aa'
const word: Slot = { kind: 'slot', address: TOKEN, slot: 7n, value: 0n, entry: undefined }
const entryOfMapping: Slot = { ...word, slot: 1n << 200n, entry: { key: 5n, place: 3n } }

const writesOfFallback = (code: string, wanted: Slot) => {
  const facts = readFacts(hexToBytes(code))
  return hiddenEntries({ account: TOKEN, facts } as TokenCode).flatMap((entry) => hiddenWritesOf(entry, wanted))
}

test.each([word, entryOfMapping])('a slot that the caller names is any word', (wanted) => {
  // sstore(calldataload(5), calldataload(37))
  expect(writesOfFallback('6025356005355500', wanted)).toHaveLength(1)
})

test.each([
  ['of another slot', '602535600855 00'],
  // sstore(keccak256 of calldataload(5) and 9, calldataload(37)): a mapping of its own.
  ['of an entry of another mapping', '6005356000526009602052602535604060002055 00'],
  // sstore(caller(), calldataload(37))
  ['of a slot that the caller is', '6025353355 00'],
])('a write %s is not of the word', (_, code) => {
  expect(writesOfFallback(code.replace(' ', ''), word)).toEqual([])
})
