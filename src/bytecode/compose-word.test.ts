import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arithmetic } from '../instructions/arithmetic.js'
import { createMemory, loadSelector, loadWord, own, storeWord } from './memory.js'
import { createTermStore, type Term } from './terms.js'

const SIZE = 128
const ACCOUNT = (1n << 160n) - 0xabcden

/** What the term comes to where the caller is that account; `undefined` for what is not known. */
function evaluate(term: Term): bigint | undefined {
  if (term.op === 'const') return term.value
  if (term.op === 'CALLER') return ACCOUNT
  const [a, b, c] = term.args.map(evaluate)
  const known = [a, b, c].slice(0, term.args.length)
  return known.length === 0 || known.includes(undefined)
    ? undefined
    : arithmetic.get(term.op)?.(a ?? 0n, b ?? 0n, c ?? 0n)
}

/** Stores words in turn, as terms and as bytes. */
function write(stored: readonly { at: number; value: bigint | 'caller' | 'caller above' }[]) {
  const store = createTermStore()
  const memory = own(createMemory(store))
  const bytes = new Uint8Array(SIZE + 32)
  const caller = store.make('CALLER', [])
  for (const { at, value } of stored) {
    const shifted = store.make('SHL', [store.constant(96n), caller])
    const term = value === 'caller' ? caller : value === 'caller above' ? shifted : store.constant(value)
    storeWord(store, memory, store.constant(BigInt(at)), term)
    const word = value === 'caller' ? ACCOUNT : value === 'caller above' ? ACCOUNT << 96n : value
    for (let i = 0; i < 32; i += 1) bytes[at + i] = Number((word >> BigInt(8 * (31 - i))) & 0xffn)
  }
  const read = (at: number, length: number) =>
    bytes.subarray(at, at + length).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return { store, memory, read }
}

const anyStored = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: SIZE - 32 }),
    value: fc.oneof(
      fc.constant('caller' as const),
      fc.constant('caller above' as const),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.constant(0x23b872ddn << 96n),
      // Between zeros, a part of one word is all there is.
      fc.constant(0n),
    ),
  }),
  { minLength: 1, maxLength: 8 },
)

test('a word, and four bytes, are what was stored there, or not known', () => {
  fc.assert(
    fc.property(anyStored, fc.integer({ min: 0, max: SIZE - 32 }), (stored, at) => {
      const { store, memory, read } = write(stored)
      const place = store.constant(BigInt(at))
      for (const [term, expected] of [
        [loadWord(store, memory, place), read(at, 32)],
        [loadSelector(store, memory, place), read(at, 4)],
      ] as const) {
        const value = evaluate(term)
        if (value !== undefined) expect(value).toBe(expected)
      }
    }),
    { numRuns: 20_000 },
  )
})

test('a selector whose end was overwritten is not read from the word that it began', () => {
  const { store, memory, read } = write([
    { at: 29, value: 1n << 224n },
    { at: 30, value: 0n },
  ])
  const value = evaluate(loadWord(store, memory, store.constant(1n)))
  expect([undefined, read(1, 32)]).toContain(value)
})

describe('call data that are stored from their end, the account above its neighbours', () => {
  const { store, memory } = write([
    { at: 0x60, value: 5n },
    { at: 0x40, value: 'caller' },
    { at: 0x2c, value: 'caller above' },
    { at: 0x0c, value: 0x23b872ddn << 96n },
  ])
  test.each([
    [0x20, ACCOUNT],
    [0x40, ACCOUNT],
    [0x60, 5n],
  ])('the word at %i is known', (at, expected) => {
    expect(evaluate(loadWord(store, memory, store.constant(BigInt(at))))).toBe(expected)
  })
  test('so is the selector', () => {
    expect(evaluate(loadSelector(store, memory, store.constant(0x1cn)))).toBe(0x23b872ddn)
  })
  test('a word with parts of two is not', () => {
    expect(evaluate(loadWord(store, memory, store.constant(0x1en)))).toBeUndefined()
  })
})
