import { expect, test } from 'vitest'
import { type Address, toPaddedHex, WORD_MASK } from '../hex.js'
import { createSeededRandom } from '../simulation/random.js'
import { packChanges, unpackChanges } from './packed-changes.js'
import type { BlockChanges } from './read-block-changes.js'

const accountOf = (n: number): Address => toPaddedHex(BigInt(n) << 120n, 20)

/** Some accounts with some words each, of some transactions. */
function changesOf(seed: number): BlockChanges {
  const random = createSeededRandom(toPaddedHex(BigInt(seed), 32))
  const draw = (label: string, most: bigint) => random.between(label, 0n, most)
  const wordsOf = (n: number) =>
    Array.from({ length: 1 + Number(draw(`words ${n}`, 5n)) }, (_, i) => {
      const from = Number(draw(`from ${n} ${i}`, 3n))
      const transaction = from === 0 ? undefined : toPaddedHex(BigInt(from), 32)
      return [draw(`slot ${n} ${i}`, WORD_MASK), { value: draw(`value ${n} ${i}`, WORD_MASK), transaction }] as const
    })
  const accounts = Array.from({ length: Number(draw('accounts', 8n)) }, (_, n) => n)
  return {
    words: new Map(accounts.map((n) => [accountOf(n), new Map(wordsOf(n))])),
    codes: new Map([[accountOf(99), undefined]]),
  }
}

test.each(Array.from({ length: 20 }, (_, seed) => seed))('what was packed comes back, of seed %i', (seed) => {
  const changes = changesOf(seed)
  expect(unpackChanges(packChanges(changes), () => true)).toEqual(changes)
})

test('the smallest and the largest words come back', () => {
  const words = new Map([
    [0n, { value: WORD_MASK, transaction: undefined }],
    [WORD_MASK, { value: 0n, transaction: toPaddedHex(1n, 32) }],
  ])
  const changes = { words: new Map([[accountOf(1), words]]), codes: new Map() }
  expect(unpackChanges(packChanges(changes), () => true)).toEqual(changes)
})

test('of accounts that are not asked for nothing comes back, and all of the others does', () => {
  const all = changesOf(7)
  const some = unpackChanges(packChanges(all), (address) => address === accountOf(2))
  expect([...some.words]).toEqual([...all.words].filter(([address]) => address === accountOf(2)))
  expect(some.codes).toEqual(all.codes)
})
