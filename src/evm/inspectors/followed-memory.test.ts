import { expect, test } from 'vitest'
import { betweenWords, copyRaw } from './followed-memory.js'
import { type Term, valueIf } from './term.js'

const TEXT = new Uint8Array(40).map((_, i) => i + 1)
/** The word of memory at this offset, of bytes that were copied to the start of it. */
const wordAt = (at: number, length = TEXT.length): bigint => {
  const bytes = Array.from({ length: 32 }, (_, i) => (at + i < length ? (TEXT[at + i] ?? 0) : 0))
  return BigInt(`0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`)
}
const copied = (length: number) => {
  const memory = new Map<number, Term>()
  copyRaw(TEXT, 0, memory, 0, length)
  return memory
}

test('of a text that ends within a word, no more is followed than was copied', () => {
  const word = copied(5).get(0)
  expect(word?.value).toBe(wordAt(0, 5))
  expect(word && valueIf(word, () => 2n ** 256n - 1n)).toBe(((1n << 40n) - 1n) << 216n)
})

test('a word between two others is told from both', () => {
  const word = betweenWords(copied(40), 3, wordAt(3))
  expect(word?.value).toBe(wordAt(3))
  // The fourth byte of the text is the first of that word.
  const other = word && valueIf(word, (leaf) => (leaf.kind === 'argument' && leaf.offset === 0 ? 0n : undefined))
  expect(other).toBe(wordAt(3) & ((1n << 24n) - 1n))
})

test.each([
  ['something else was written there since', copied(40), 3, 1n],
  ['nothing was', new Map<number, Term>(), 3, wordAt(3)],
])('is not followed where %s', (_, memory, at, value) => {
  expect(betweenWords(memory, at, value)).toBeUndefined()
})
