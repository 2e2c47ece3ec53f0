import { foldTerm } from './fold.js'
import type { Taint, Term, TermStore } from './terms.js'

/** A stored word, of which the bytes from `from` up to `to` have not been overwritten since. */
interface Word {
  term: Term
  from: number
  to: number
}

/**
 * Words at places known exactly: at a constant offset, or at a constant distance from one symbolic
 * pointer. Everything else is remembered as the taint of what may lie there. Copied before it is
 * changed once it has been shared.
 */
export interface Memory {
  /** By base (term id of the pointer, -1 for none), then by offset. */
  words: Map<number, Map<number, Word>>
  rest: Taint
  shared: boolean
  /** Nothing was written yet: every byte is zero. */
  fresh: boolean
}

const FIXED = -1
/**
 * Solidity's scratch space, free-memory pointer and zero slot end here; a write through a computed
 * pointer does not reach below.
 */
const SCRATCH_END = 0x80
/** Words kept; more would be a loop writing an array. */
const MAX_WORDS = 192
/** Longest region that is copied or hashed word by word. */
export const MAX_REGION_BYTES = 2_048

export const createMemory = (store: TermStore): Memory => ({
  words: new Map(),
  rest: store.noTaint,
  shared: false,
  fresh: true,
})

/** Marks the memory as used by two states, and returns it. */
export function share(memory: Memory): Memory {
  memory.shared = true
  return memory
}

/**
 * A memory that may be changed: this one, or a copy if others look at it. It counts as written to
 * from now on.
 */
export function own(memory: Memory): Memory {
  if (!memory.shared) {
    memory.fresh = false
    return memory
  }
  const words = new Map<number, Map<number, Word>>()
  for (const [base, row] of memory.words) words.set(base, new Map(row))
  return { words, rest: memory.rest, shared: false, fresh: false }
}

/** Words known. */
export function countWords({ words }: Memory): number {
  let count = 0
  for (const row of words.values()) count += row.size
  return count
}

/**
 * A pointer as base and distance. Offsets beyond any real memory make the pointer unusable:
 * `undefined`.
 */
export function locate(pointer: Term): { base: number; offset: number } | undefined {
  if (pointer.op === 'const')
    return pointer.value < 1n << 32n ? { base: FIXED, offset: Number(pointer.value) } : undefined
  const [base, distance] = pointer.args
  if (pointer.op === 'ADD' && base && distance?.op === 'const') {
    const offset = BigInt.asIntN(256, distance.value)
    if (offset > -65_536n && offset < 65_536n) return { base: base.id, offset: Number(offset) }
  }
  return { base: pointer.id, offset: 0 }
}

/** `MSTORE`. The memory must be owned. */
export function storeWord(store: TermStore, memory: Memory, pointer: Term, term: Term): void {
  const place = locate(pointer)
  if (place === undefined) {
    forget(store, memory, term.taint)
    return
  }
  const row = rowFor(store, memory, place.base, place.offset)
  for (const [offset, word] of row) {
    if (offset !== place.offset && offset > place.offset - 32 && offset < place.offset + 32) {
      row.set(offset, cut(word, place.offset - offset, place.offset - offset + 32))
    }
  }
  row.set(place.offset, { term, from: 0, to: 32 })
  if (row.size > MAX_WORDS) forget(store, memory, store.noTaint)
}

/**
 * Overwrites `bytes` (unknown: all that may follow) with something of this taint. The memory must
 * be owned.
 */
export function storeUnknown(
  store: TermStore,
  memory: Memory,
  pointer: Term,
  bytes: number | undefined,
  taint: Taint,
): void {
  const place = locate(pointer)
  if (bytes === 0) return
  if (place === undefined) {
    forget(store, memory, taint)
    return
  }
  const row = rowFor(store, memory, place.base, place.offset)
  const end = place.offset + (bytes ?? Number.POSITIVE_INFINITY)
  for (const [offset, word] of row) {
    if (offset + 32 <= place.offset || offset >= end) continue
    memory.rest = store.union(memory.rest, word.term.taint)
    const rest = cut(word, place.offset - offset, end - offset)
    if (rest.to <= rest.from) row.delete(offset)
    else row.set(offset, rest)
  }
  memory.rest = store.union(memory.rest, taint)
}

const cut = ({ term, from, to }: Word, start: number, end: number): Word =>
  start <= from ? { term, from: Math.max(from, end), to } : { term, from, to: Math.min(to, start) }

/** The row to write into, after everything that the write may also reach has been let go. */
function rowFor(store: TermStore, memory: Memory, base: number, offset: number): Map<number, Word> {
  const scratch = base === FIXED && offset < SCRATCH_END
  if (!scratch) {
    for (const [other, row] of memory.words) {
      if (other === base) continue
      for (const [at, word] of row) {
        if (other === FIXED && at < SCRATCH_END) continue
        memory.rest = store.union(memory.rest, word.term.taint)
        row.delete(at)
      }
    }
  }
  let row = memory.words.get(base)
  if (row === undefined) {
    row = new Map()
    memory.words.set(base, row)
  }
  return row
}

/** Forgets all words but the scratch area. */
function forget(store: TermStore, memory: Memory, taint: Taint): void {
  memory.rest = store.union(memory.rest, taint)
  for (const [base, row] of memory.words) {
    for (const [offset, word] of row) {
      if (base === FIXED && offset < SCRATCH_END) continue
      memory.rest = store.union(memory.rest, word.term.taint)
      row.delete(offset)
    }
  }
}

/** `MLOAD`. */
export function loadWord(store: TermStore, memory: Memory, pointer: Term): Term {
  const place = locate(pointer)
  const row = place && memory.words.get(place.base)
  const word = place && row?.get(place.offset)
  if (word && word.from === 0 && word.to === 32) return word.term
  if (place === undefined || row === undefined) return store.unknown(allTaint(store, memory))
  // Vyper stores call data 28 bytes further on, so that the selector is read right-aligned.
  const shifted = row.get(place.offset + 28)
  if (shifted?.from === 0 && !overlaps(row, place.offset, 28))
    return foldTerm(store, 'SHR', [store.constant(224n), shifted.term])
  return store.unknown(nearTaint(store, memory, row, place.offset))
}

const overlaps = (row: Map<number, Word>, start: number, bytes: number) =>
  [...row].some(([at, { from, to }]) => at + from < start + bytes && at + to > start)

function nearTaint(store: TermStore, memory: Memory, row: Map<number, Word>, offset: number): Taint {
  let taint = memory.rest
  for (const [at, { term }] of row) if (at > offset - 32 && at < offset + 32) taint = store.union(taint, term.taint)
  return taint
}

function allTaint(store: TermStore, memory: Memory): Taint {
  let taint = memory.rest
  for (const row of memory.words.values()) for (const { term } of row.values()) taint = store.union(taint, term.taint)
  return taint
}

/**
 * The words of a region in order, when stored words cover it; the parts of words where they
 * overlap; otherwise its taint as one term.
 */
export function loadRegion(
  store: TermStore,
  memory: Memory,
  pointer: Term,
  bytes: number | undefined,
): readonly Term[] {
  if (bytes === 0) return []
  const place = locate(pointer)
  const row = place && memory.words.get(place.base)
  if (place === undefined || row === undefined || bytes === undefined || bytes > MAX_REGION_BYTES) {
    return [store.unknown(allTaint(store, memory))]
  }
  const end = place.offset + bytes
  const touching = [...row]
    .filter(([at, { from, to }]) => at + from < end && at + to > place.offset && to > from)
    .sort(([a], [b]) => a - b)
  let covered = place.offset
  for (const [at, { from, to }] of touching) if (at + from <= covered) covered = Math.max(covered, at + to)
  const terms = touching.map(([, { term }]) => term)
  return covered >= end ? terms : [...terms, store.unknown(memory.rest)]
}

/** The first four bytes of a region, as call data begins with: a number, or `undefined`. */
export function loadSelector(store: TermStore, memory: Memory, pointer: Term): Term {
  const place = locate(pointer)
  const row = place && memory.words.get(place.base)
  const word = place && row?.get(place.offset)
  if (word && word.from === 0 && word.to >= 4) {
    return foldTerm(store, 'SHR', [store.constant(224n), word.term])
  }
  // Older compilers store the selector right-aligned, 28 bytes before the place the call data
  // begins.
  const before = place && row?.get(place.offset - 28)
  if (before && before.to === 32 && before.from <= 28) {
    return foldTerm(store, 'AND', [before.term, store.constant(0xffffffffn)])
  }
  return store.unknown(
    place === undefined || row === undefined ? allTaint(store, memory) : nearTaint(store, memory, row, place.offset),
  )
}

/**
 * What is true on both ways into a block. Returns `a` itself when `b` adds nothing. `name` makes
 * the term for two different words.
 */
export function joinMemory(
  store: TermStore,
  a: Memory,
  b: Memory,
  name: (a: Term, b: Term, place: string) => Term,
): Memory {
  const rest = store.union(a.rest, b.rest)
  let words: Memory['words'] | undefined
  let lost = rest
  const change = () => {
    words ??= new Map([...a.words].map(([base, row]) => [base, new Map(row)]))
    return words
  }
  for (const [base, row] of a.words) {
    const otherRow = b.words.get(base)
    for (const [offset, word] of row) {
      const other = otherRow?.get(offset)
      if (other === undefined || other.from !== word.from || other.to !== word.to) {
        change().get(base)?.delete(offset)
        lost = store.union(lost, word.term.taint)
        if (other !== undefined) lost = store.union(lost, other.term.taint)
      } else if (other.term !== word.term) {
        const term = name(word.term, other.term, `${base}:${offset}`)
        if (term !== word.term)
          change()
            .get(base)
            ?.set(offset, { ...word, term })
      }
    }
  }
  for (const [base, row] of b.words) {
    for (const [offset, word] of row) if (!a.words.get(base)?.has(offset)) lost = store.union(lost, word.term.taint)
  }
  const fresh = a.fresh && b.fresh
  if (words === undefined && lost === a.rest && fresh === a.fresh) return a
  return { words: words ?? a.words, rest: lost, shared: words === undefined, fresh }
}
