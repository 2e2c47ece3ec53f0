import { composeWord, readFourBytes, SELECTOR_BYTES } from './compose-word.js'
import { foldTerm } from './fold.js'
import { plainOf, type Taint, type Term, type TermStore } from './terms.js'

/** A stored word, of which the bytes from `from` up to `to` have not been overwritten since. */
export interface Word {
  offset: number
  term: Term
  from: number
  to: number
}

/** The words at distances from one pointer, the nearest first. */
export interface Row {
  /** The term id of the pointer, -1 for none. */
  base: number
  /** The memory that may change it; others copy it before they do. */
  owner: Memory | undefined
  words: Word[]
}

/**
 * Words at places known exactly: at a constant offset, or at a constant distance from one symbolic
 * pointer. Everything else is remembered as the taint of what may lie there. Copied before it is
 * changed once it has been shared, and of its rows only those that are changed.
 */
export interface Memory {
  /** One for each pointer; code has few. */
  rows: Row[]
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
  rows: [],
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
  return { rows: memory.rows.slice(), rest: memory.rest, shared: false, fresh: false }
}

/** The words of a row, to be changed. */
function ownRow(memory: Memory, base: number): Word[] {
  const { rows } = memory
  let at = 0
  while (at < rows.length && rows[at]?.base !== base) at += 1
  const row = rows[at]
  if (row?.owner === memory) return row.words
  const words = row?.words.slice() ?? []
  rows[at] = { base, owner: memory, words }
  return words
}

/** The words that are known at distances from a pointer. */
export function wordsOf({ rows }: Memory, base: number): readonly Word[] | undefined {
  for (let at = 0; at < rows.length; at += 1) if (rows[at]?.base === base) return rows[at]?.words
  return undefined
}

/** Where the word at that offset stands, or the first one beyond. */
function placeIn(words: readonly Word[], offset: number): number {
  let at = words.length
  while (at > 0 && (words[at - 1] as Word).offset >= offset) at -= 1
  return at
}

function wordAt(words: readonly Word[], offset: number): Word | undefined {
  const word = words[placeIn(words, offset)]
  return word?.offset === offset ? word : undefined
}

/** Words known. */
export function countWords({ rows }: Memory): number {
  let count = 0
  for (const { words } of rows) count += words.length
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
  const start = startOf(memory, pointer)
  if (start !== undefined) {
    storeBetween(store, memory, { ...start, least: 0 }, undefined, term.taint)
    return
  }
  const place = locate(pointer)
  if (place === undefined) {
    forget(store, memory, term.taint)
    return
  }
  const words = rowFor(store, memory, place.base, place.offset, leastOf(pointer))
  const { offset } = place
  let at = placeIn(words, offset - 31)
  for (let word = words[at]; word !== undefined && word.offset < offset; word = words[at]) {
    words[at] = cut(word, offset - word.offset, offset - word.offset + 32)
    at += 1
  }
  const isThere = words[at]?.offset === offset
  for (let next = isThere ? at + 1 : at; next < words.length; next += 1) {
    const word = words[next] as Word
    if (word.offset >= offset + 32) break
    words[next] = cut(word, offset - word.offset, offset - word.offset + 32)
  }
  // Keys are hashed there; elsewhere the word may be read again as it is.
  const parts = place.base === FIXED && offset < SCRATCH_END ? splitWord(term, offset) : undefined
  const stored = { offset, term: parts?.low ?? term, from: 0, to: 32 }
  if (isThere) words[at] = stored
  else if (at === words.length) words.push(stored)
  else words.splice(at, 0, stored)
  if (parts) storeHigh(store, memory, words, at, parts)
  if (words.length > MAX_WORDS) forget(store, memory, store.noTaint)
}

/** A value that is shifted above a constant: what lies before `bytes` bytes of the word's end. */
interface SplitWord {
  high: Term
  low: Term
  bytes: number
}

/**
 * The parts of `high << bits | constant`, as an address and the seed of a mapping are brought into
 * one word to be hashed (Solady): the same bytes as of two words that overlap.
 */
function splitWord({ op, args: [shifted, low] }: Term, offset: number): SplitWord | undefined {
  const [by, high] = shifted?.args ?? []
  if (op !== 'OR' || shifted?.op !== 'SHL' || low?.op !== 'const' || by?.op !== 'const' || !high) return undefined
  if (by.value === 0n || by.value >= 256n || by.value % 8n !== 0n || low.value >> by.value !== 0n) return undefined
  const bytes = Number(by.value) / 8
  return offset < bytes ? undefined : { high, low, bytes }
}

/** Lays the high part over the word at `at`, as a word that begins before it. */
function storeHigh(store: TermStore, memory: Memory, words: Word[], at: number, { high, bytes }: SplitWord): void {
  const whole = words[at] as Word
  const offset = whole.offset - bytes
  words[at] = { ...whole, from: 32 - bytes }
  const part = { offset, term: high, from: bytes, to: 32 }
  const before = placeIn(words, offset)
  const other = words[before]
  if (other?.offset !== offset) words.splice(before, 0, part)
  else {
    if (other.from < other.to) memory.rest = store.union(memory.rest, other.term.taint)
    words[before] = part
  }
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
  storeBetween(store, memory, { ...place, least: leastOf(pointer) }, bytes, taint)
}

function storeBetween(
  store: TermStore,
  memory: Memory,
  place: { base: number; offset: number; least: number },
  bytes: number | undefined,
  taint: Taint,
): void {
  const words = rowFor(store, memory, place.base, place.offset, place.least)
  const end = place.offset + (bytes ?? Number.POSITIVE_INFINITY)
  const first = placeIn(words, place.offset - 31)
  let kept = first
  for (let at = first; at < words.length; at += 1) {
    const word = words[at] as Word
    const isReached = word.offset < end
    if (isReached) memory.rest = store.union(memory.rest, word.term.taint)
    const rest = isReached ? cut(word, place.offset - word.offset, end - word.offset) : word
    if (isReached && rest.to <= rest.from) continue
    words[kept] = rest
    kept += 1
  }
  words.length = kept
  memory.rest = store.union(memory.rest, taint)
}

/** Where a row is known to begin that the pointer lies behind, by a length that is not known. */
function startOf(memory: Memory, pointer: Term): { base: number; offset: number } | undefined {
  if (pointer.op !== 'ADD') return undefined
  let offset = 0n
  const parts: Term[] = []
  const open: Term[] = [pointer]
  for (let part = open.pop(); part !== undefined && parts.length < MAX_PARTS; part = open.pop()) {
    if (part.op === 'const') offset += BigInt.asIntN(256, part.value)
    else if (wordsOf(memory, part.id) === undefined && part.op === 'ADD') open.push(...part.args)
    else parts.push(part)
  }
  const [base, ...others] = parts.filter((part) => !isLength(part))
  if (parts.length === 1 || parts.length === MAX_PARTS || base === undefined || others.length > 0) return undefined
  const isBehind = offset >= 0n && offset < 65_536n && wordsOf(memory, base.id)?.length
  return isBehind ? { base: base.id, offset: Number(offset) } : undefined
}

/** Something that is not known, or that rounded up to whole words. */
function isLength({ op, args: [a, b] }: Term): boolean {
  if (isUnknown(op)) return true
  if (op !== 'AND' || a?.op !== 'ADD' || b?.op !== 'const') return false
  const [length, spare] = a.args
  return length !== undefined && isUnknown(length.op) && spare?.op === 'const' && spare.value < 65_536n
}

/** Numbers that can be lengths: from memory, or from call data at a place that the call names. */
const isUnknown = (op: string) => op === 'unknown' || op === 'element'

/** Terms of a sum that are looked at. */
const MAX_PARTS = 4

const cut = ({ offset, term, from, to }: Word, start: number, end: number): Word =>
  start <= from ? { offset, term, from: Math.max(from, end), to } : { offset, term, from, to: Math.min(to, start) }

/**
 * The least place that a pointer can name. Where ways have met of which one has laid something
 * aside, the free memory begins at one of few places; what is not known is a length or a place, and
 * not below zero.
 */
function leastOf({ op, value, args }: Term): number {
  if (op === 'const') return value < 1n << 32n ? Number(value) : 0
  const [first, second] = args
  if (op === 'choice') return Math.min(...args.map(leastOf))
  if (op !== 'ADD' || second?.op !== 'const' || second.value >= 65_536n) return 0
  return first !== undefined && (first.op === 'choice' || isUnknown(first.op))
    ? leastOf(first) + Number(second.value)
    : 0
}

/**
 * The row to write into, after everything that the write, which begins at `least` or beyond, may
 * also reach has been let go.
 */
function rowFor(store: TermStore, memory: Memory, base: number, offset: number, least: number): Word[] {
  const scratch = base === FIXED && offset < SCRATCH_END
  if (!scratch) for (const row of memory.rows) if (row.base !== base) forgetRow(store, memory, row, least)
  return ownRow(memory, base)
}

/** Forgets all words but the scratch area. */
function forget(store: TermStore, memory: Memory, taint: Taint): void {
  memory.rest = store.union(memory.rest, taint)
  for (const row of memory.rows) forgetRow(store, memory, row)
}

/** Forgets what lies at `least` or beyond. */
function forgetRow(store: TermStore, memory: Memory, { base, words }: Row, least = 0): void {
  const kept = base === FIXED ? Math.max(placeIn(words, SCRATCH_END), placeIn(words, least - 31)) : 0
  if (kept === words.length) return
  for (let at = kept; at < words.length; at += 1) memory.rest = store.union(memory.rest, (words[at] as Word).term.taint)
  ownRow(memory, base).length = kept
}

/** `MLOAD`. */
export function loadWord(store: TermStore, memory: Memory, pointer: Term): Term {
  const place = locate(pointer)
  const words = place && wordsOf(memory, place.base)
  if (place === undefined || words === undefined) return store.unknown(allTaint(store, memory))
  const word = wordAt(words, place.offset)
  if (word && word.from === 0 && word.to === 32) return word.term
  // Vyper stores call data 28 bytes further on, so that the selector is read right-aligned.
  const shifted = wordAt(words, place.offset + 28)
  const hasSelector = shifted?.from === 0 && shifted.to >= SELECTOR_BYTES
  if (hasSelector && !overlaps(words, place.offset, 28))
    return foldTerm(store, 'SHR', [store.constant(224n), shifted.term])
  return composeWord(store, words, place.offset) ?? store.unknown(nearTaint(store, memory, words, place.offset))
}

const overlaps = (words: readonly Word[], start: number, bytes: number) =>
  words.some(({ offset, from, to }) => offset + from < start + bytes && offset + to > start)

function nearTaint(store: TermStore, memory: Memory, words: readonly Word[], near: number): Taint {
  let taint = memory.rest
  for (const { offset, term } of words)
    if (offset > near - 32 && offset < near + 32) taint = store.union(taint, term.taint)
  return taint
}

function allTaint(store: TermStore, memory: Memory): Taint {
  let taint = memory.rest
  for (const { words } of memory.rows) for (const { term } of words) taint = store.union(taint, term.taint)
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
  const words = place && wordsOf(memory, place.base)
  if (place === undefined || words === undefined || bytes === undefined || bytes > MAX_REGION_BYTES) {
    return [store.unknown(allTaint(store, memory))]
  }
  const end = place.offset + bytes
  const terms: Term[] = []
  let covered = place.offset
  for (let at = placeIn(words, place.offset - 31); at < words.length; at += 1) {
    const { offset, term, from, to } = words[at] as Word
    if (offset >= end) break
    if (offset + from >= end || offset + to <= place.offset || to <= from) continue
    terms.push(plainOf(store, term))
    if (offset + from <= covered) covered = Math.max(covered, offset + to)
  }
  if (covered < end) terms.push(store.unknown(memory.rest))
  return terms
}

/** The first four bytes of a region, as call data begins with: a number, or `undefined`. */
export function loadSelector(store: TermStore, memory: Memory, pointer: Term): Term {
  const place = locate(pointer)
  const words = place && wordsOf(memory, place.base)
  const found = place && words && readFourBytes(store, words, place.offset)
  if (found) return found
  return store.unknown(
    place === undefined || words === undefined
      ? allTaint(store, memory)
      : nearTaint(store, memory, words, place.offset),
  )
}
