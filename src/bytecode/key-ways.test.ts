import { expect, test } from 'vitest'
import { hexToBytes } from '../hex.js'
import { readFacts } from './facts.js'
import { keysOf } from './key-ways.js'
import { storageSource, UNKNOWN_VARIABLE } from './source.js'
import { classifyKey } from './storage-key.js'
import { readTokenFacts } from './token-facts.js'

/** A hash of the caller and a slot: its entry of the mapping there. */
const entryIn = (slot: string) => `335f5260${slot}60205260405f20`

/** Two ways, by what the call says, put a key on the stack; a one is written there. */
function codeOf(one: string, other: string): `0x${string}` {
  const second = 5 + one.length / 2 + 3
  const end = second + 1 + other.length / 2 + 3
  const to = (pc: number) => `60${pc.toString(16).padStart(2, '0')}`
  return `0x5f35${to(second)}57${one}${to(end)}565b${other}${to(end)}565b6001905500`
}

function idsOf(code: `0x${string}`) {
  const facts = readFacts(hexToBytes(code))
  return facts.functions.flatMap(({ run, effects }) =>
    effects.flatMap((effect) =>
      effect.kind === 'write' ? keysOf(facts.store, run, effect.key).map((key) => classifyKey(key).id) : [],
    ),
  )
}

test.each([
  ['entries of two mappings', entryIn('08'), entryIn('09'), ['0x8[]', '0x9[]']],
  ['an entry and a word', entryIn('08'), '6007', ['0x8[]', '0x7']],
  ['elements of two lists', `${entryIn('08')}5f5260205f20`, '60075f5260205f20', ['0x8[](*)', '0x7(*)']],
  ['one of them where the call likes', entryIn('08'), '602035', ['?']],
])('a write to %s', (_, one, other, ids) => {
  expect(idsOf(codeOf(one, other)).toSorted()).toEqual(ids.toSorted())
})

test('what may be written is found by the name of each place', () => {
  const { writesOf } = readTokenFacts(readFacts(hexToBytes(codeOf(entryIn('08'), entryIn('09')))))
  const found = ['0x8[]', '0x9[]', UNKNOWN_VARIABLE].map((id) => writesOf(storageSource(id)).length)
  expect(found).toEqual([1, 1, 0])
})
