import { describe, expect, test } from 'vitest'
import type { WordRole } from '../checks/dependencies/trade-dependencies.js'
import { type Address, toPaddedHex } from '../hex.js'
import { createWordIndex } from './word-index.js'

const tokenOf = (n: number): Address => toPaddedHex(0x70_0000n + BigInt(n), 20)
const JUDGE = toPaddedHex(0x60_0000n, 20)
const OWNER = BigInt(`0x${'d4'.repeat(20)}`)

const standsOn = (...words: (readonly [Address, bigint, bigint, WordRole])[]) => ({
  words: words.map(([address, slot, value, role]) => ({ address, slot, value, role })),
  ...{ codes: [], isTruncated: false, nextChange: undefined },
})
const changeOf = (address: Address, slot: bigint, value: bigint) => ({
  words: new Map([[address, new Map([[slot, { value, transaction: undefined }]])]]),
  codes: new Map(),
})
const own = (n: number, value = 1n) => [tokenOf(n), 5n, value, 'decides'] as const
const slots = (words: readonly { slot: bigint }[]) => words.map(({ slot }) => Number(slot))

describe('a word that several tokens stand on', () => {
  const index = createWordIndex()
  for (const n of [1, 2, 3]) index.set(tokenOf(n), standsOn([JUDGE, 7n, BigInt(n), 'decides']))
  const tellsOf = (value: bigint) => index.find(changeOf(JUDGE, 7n, value)).map(({ token }) => token)

  test('is told of each whose verdict saw another value', () => {
    expect(tellsOf(2n)).toEqual([tokenOf(1), tokenOf(3)])
    expect(tellsOf(9n)).toHaveLength(3)
    expect(index.allWords()).toHaveLength(1)
  })

  test('is told of those that are left, and of none at last', () => {
    index.set(tokenOf(1), undefined)
    expect(tellsOf(9n)).toEqual([tokenOf(2), tokenOf(3)])
    index.set(tokenOf(2), standsOn(own(2)))
    expect(tellsOf(9n)).toEqual([tokenOf(3)])
    index.set(tokenOf(3), undefined)
    expect(tellsOf(9n)).toEqual([])
    expect(index.accounts.places.has(JUDGE)).toBe(false)
  })
})

describe('words in turn', () => {
  const three = () => {
    const index = createWordIndex()
    index.set(tokenOf(1), standsOn([tokenOf(1), 1n, 0n, 'moves'], [tokenOf(1), 2n, 0n, 'moves']))
    index.set(tokenOf(2), standsOn([tokenOf(2), 3n, 0n, 'moves']))
    return index
  }

  test('each has its turn before one has its second', () => {
    const index = three()
    expect([1, 2, 3, 4].map(() => slots(index.takeWords(2)))).toEqual([[1, 2], [3], [1, 2], [3]])
    expect([1, 2].map(() => slots(index.takeWords(3)))).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  test('go on where tokens are judged anew all the time, and what is forgotten is not asked for', () => {
    const index = three()
    const asked = new Set<number>()
    for (let look = 0; look < 6; look += 1) {
      index.set(tokenOf(1), standsOn([tokenOf(1), 1n, BigInt(look), 'moves'], [tokenOf(1), 2n, 0n, 'moves']))
      for (const slot of slots(index.takeWords(1))) asked.add(slot)
    }
    expect([...asked].toSorted()).toContain(3)
    index.set(tokenOf(2), undefined)
    expect(slots([...index.takeWords(3), ...index.takeWords(3)])).not.toContain(3)
  })

  test('of no tokens there are none', () => {
    expect(createWordIndex().takeWords(4)).toEqual([])
  })
})

test('who may change words is known as long as a verdict names them', () => {
  const index = createWordIndex()
  const owner = toPaddedHex(OWNER, 20)
  for (const n of [1, 2]) index.set(tokenOf(n), standsOn([tokenOf(n), 0n, OWNER, 'guards'], own(n)))
  const { holders, places } = index.accounts
  index.set(tokenOf(1), undefined)
  expect([holders.has(owner), places.has(tokenOf(1)), places.has(tokenOf(2))]).toEqual([true, false, true])
  index.set(tokenOf(2), standsOn(own(2)))
  expect([holders.has(owner), holders.size]).toEqual([false, 0])
})
