import { expect, test } from 'vitest'
import type { Hex } from '../../../hex.js'
import { isOnCurve } from '../../../solana/pda.js'
import { createPeople } from './people.js'

const seedOf = (i: number): Hex => `0x${i.toString(16).padStart(64, '0')}`
const answers = Array.from({ length: 60 }, (_, i) => createPeople(seedOf(i)))
const differing = <T>(values: readonly T[]) => new Set(values.map(String)).size

test('no wallet is met in two answers, nor holds the same', () => {
  const wallets = answers.map((people) => people.wallet('trader'))
  expect(differing(wallets)).toBe(answers.length)
  expect(wallets.every(isOnCurve)).toBe(true)
  const coins = answers.map((people) => people.lamports('trader'))
  expect(differing(coins)).toBe(answers.length)
  expect(coins.every((lamports) => lamports >= 890_000_000n && lamports <= 90_000_000_000n)).toBe(true)
})

test('sizes are within their range, and no round share', () => {
  const sizes = answers.map((people) => people.share('plain size', 10n ** 15n, 600n, 4_000n))
  expect(differing(sizes)).toBe(answers.length)
  expect(sizes.every((size) => size >= 10n ** 15n / 4_000n && size <= 10n ** 15n / 600n)).toBe(true)
})

test('transactions of one answer differ in number, order and price of what is around them', () => {
  const [people] = answers
  const dresses = Array.from({ length: 60 }, (_, turn) => people?.dress(turn))
  expect(differing(dresses.map((dress) => (dress?.before.length ?? 0) + (dress?.after.length ?? 0)))).toBe(3)
  expect(differing(dresses.map((dress) => dress?.before.map(({ data }) => data)))).toBe(60)
  expect(dresses.every((dress) => (dress?.priorityLamports ?? 0n) <= 40_000n)).toBe(true)
})

test('the same seed makes the same people, in whatever order they are asked for', () => {
  const [first, again] = [createPeople(seedOf(7)), createPeople(seedOf(7))]
  first.lamports('stranger')
  expect(first.dress(3)).toEqual(again.dress(3))
  expect([first.wallet('trader'), first.lamports('trader')]).toEqual([again.wallet('trader'), again.lamports('trader')])
})
