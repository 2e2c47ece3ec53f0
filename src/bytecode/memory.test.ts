import { expect, test } from 'vitest'
import { WORD_MASK } from '../hex.js'
import { foldTerm } from './fold.js'
import { createMemory, loadSelector, loadWord, own, storeUnknown, storeWord } from './memory.js'
import { environmentSource } from './source.js'
import { createTermStore, type Term, type TermStore } from './terms.js'

const SELECTOR = 0x88a7ca5cn
const HELD = 7n

/** Where free memory begins, a length of the caller's choice, and a word of its call data. */
function createPlaces(store: TermStore) {
  const taint = store.taint(environmentSource('CALLER'))
  const length = store.unknown(taint)
  return {
    rounded: store.make('AND', [store.make('ADD', [length, store.constant(31n)]), store.constant(~31n & WORD_MASK)]),
    free: store.make('AND', [
      store.make('ADD', [store.make('CALLVALUE', []), store.constant(63n)]),
      store.constant(~31n & 0xffffn),
    ]),
    length,
    word: store.make('calldata', [], 4n),
  }
}

type Places = ReturnType<typeof createPlaces>

/** What stands at the place of a call's selector, and of a word, once `at` was written to. */
function readBack(
  begin: (places: Places, store: TermStore) => Term,
  at: (places: Places) => readonly (Term | bigint)[],
) {
  const store = createTermStore()
  const places = createPlaces(store)
  const memory = own(createMemory(store))
  const start = begin(places, store)
  const behind = (distance: bigint) => foldTerm(store, 'ADD', [start, store.constant(distance)])
  storeWord(store, memory, start, store.constant(SELECTOR << 224n))
  storeWord(store, memory, behind(4n), store.constant(HELD))
  const pointer = at(places)
    .map((part) => (typeof part === 'bigint' ? store.constant(part) : part))
    .reduce((sum, part) => foldTerm(store, 'ADD', [sum, part]))
  storeWord(store, memory, pointer, store.constant(0n))
  return [loadSelector(store, memory, start), loadWord(store, memory, behind(4n))].map(({ op, value }) =>
    op === 'const' ? value : op,
  )
}

test.each<[string, (places: Places) => readonly (Term | bigint)[], unknown[]]>([
  ['behind it, by a length', ({ free, length }) => [free, 0x44n, length, 0x20n], [SELECTOR, HELD]],
  ['behind it, the length first', ({ free, length }) => [length, free, 0x44n], [SELECTOR, HELD]],
  ['behind it, by a length of whole words', ({ free, rounded }) => [free, 0x44n, rounded], [SELECTOR, HELD]],
  ['from its word on, by a length', ({ free, length }) => [free, 4n, length], [SELECTOR, 'unknown']],
  ['over it, by a length', ({ free, length }) => [free, length], ['unknown', 'unknown']],
  ['anywhere, by a word of the call', ({ free, word }) => [free, 0x44n, word], ['unknown', 'unknown']],
  ['somewhere', ({ length }) => [length, 0x20n], ['unknown', 'unknown']],
])('what is laid %s', (_, at, found) => {
  expect(readBack(({ free }) => free, at)).toEqual(found)
})

test.each<[string, (places: Places) => readonly (Term | bigint)[], unknown[]]>([
  ['behind them', ({ length }) => [length, 0x144n], [SELECTOR, HELD]],
  ['over them', ({ length }) => [length, 0x20n], ['unknown', 'unknown']],
  ['anywhere, by a word of the call', ({ word }) => [word, 0x144n], ['unknown', 'unknown']],
])('words at fixed places, and what is laid %s', (_, at, found) => {
  expect(readBack((__, store) => store.constant(0x80n), at)).toEqual(found)
})

test('a copy of unknown length covers all that follows', () => {
  const store = createTermStore()
  const memory = own(createMemory(store))
  const { free, length } = createPlaces(store)
  storeWord(store, memory, free, store.constant(SELECTOR << 224n))
  storeUnknown(store, memory, foldTerm(store, 'ADD', [free, store.constant(0x24n)]), undefined, length.taint)
  expect(loadSelector(store, memory, free).value).toBe(SELECTOR)
  expect(loadWord(store, memory, foldTerm(store, 'ADD', [free, store.constant(0x40n)])).op).toBe('unknown')
})
