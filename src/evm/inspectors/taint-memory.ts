import type { Word } from '../../instructions/word.js'
import { type ByteMask, FULL_MASK } from './byte-mask.js'
import type { SourceSets } from './source-sets.js'

/** Memory behind this is not followed; the engine's own bound on memory is the same. */
const MAX_BYTES = 8 * 1024 * 1024
const START_BYTES = 1_024
const WORD_BYTES = 32

/**
 * The shadow of a frame's memory: the number of a source set for each byte. It has no bytes until
 * one is tainted.
 */
export interface TaintMemory {
  bytes: Uint8Array
  view: DataView
  /** Bytes that may be tainted; all behind them are not. */
  used: number
  /** In which bytes of the word that was loaded last there is taint. */
  loadedMask: ByteMask
}

export const NOTHING = new Uint8Array(0)
const NO_VIEW = new DataView(NOTHING.buffer)

export function createTaintMemory(): TaintMemory {
  return { bytes: NOTHING, view: NO_VIEW, used: 0, loadedMask: 0 }
}

export function clearAll(memory: TaintMemory): void {
  if (memory.used > 0) memory.bytes.fill(0, 0, memory.used)
  memory.used = 0
}

/**
 * The sources in a word of which only what lies before `end` is there; `loadedMask` then says in
 * which of its bytes.
 */
export function loadWord(memory: TaintMemory, start: number, end: number, sets: SourceSets): number {
  const { bytes, view, used } = memory
  memory.loadedMask = 0
  const stop = Math.min(start + WORD_BYTES, used, end)
  if (start >= stop || (stop === start + WORD_BYTES && isClean(view, start))) return 0
  let taint = 0
  let mask = 0
  for (let index = start; index < stop; index += 1) {
    const set = bytes[index] as number
    if (set === 0) continue
    taint |= sets.sourcesOf(set)
    mask |= 1 << (WORD_BYTES - 1 - (index - start))
  }
  memory.loadedMask = mask
  return taint
}

/** The sources in any bytes of a region. */
export function readRegion({ bytes, used }: TaintMemory, offset: Word, length: Word, sets: SourceSets): number {
  if (used === 0) return 0
  const stop = Math.min(used, endOf(offset, length))
  let taint = 0
  let last = 0
  for (let index = startOf(offset, length); index < stop; index += 1) {
    const set = bytes[index] as number
    if (set === last) continue
    last = set
    taint |= sets.sourcesOf(set)
  }
  return taint
}

/** Marks those of a word's bytes that are in `mask` with `set`, and no others. */
export function storeWord(memory: TaintMemory, offset: Word, set: number, mask: ByteMask): void {
  if (set === 0 || typeof offset !== 'number') {
    clear(memory, offset, WORD_BYTES)
    return
  }
  if (offset > MAX_BYTES) return
  reserve(memory, offset + WORD_BYTES)
  if (mask === FULL_MASK) memory.bytes.fill(set, offset, offset + WORD_BYTES)
  else
    for (let index = 0; index < WORD_BYTES; index += 1)
      memory.bytes[offset + index] = (mask >>> (31 - index)) & 1 ? set : 0
}

export function storeByte(memory: TaintMemory, offset: Word, set: number): void {
  if (set === 0 || typeof offset !== 'number') {
    clear(memory, offset, 1)
    return
  }
  if (offset > MAX_BYTES) return
  reserve(memory, offset + 1)
  memory.bytes[offset] = set
}

export function clear(memory: TaintMemory, offset: Word, length: Word): void {
  if (memory.used === 0 || typeof offset !== 'number' || offset >= memory.used) return
  memory.bytes.fill(0, offset, Math.min(memory.used, endOf(offset, length)))
}

/** A copy of a region's taint, as far as there may be any. */
export function slice(memory: TaintMemory, offset: Word, length: Word): Uint8Array {
  const start = startOf(offset, length)
  const end = Math.min(memory.used, endOf(offset, length))
  return start < end ? memory.bytes.slice(start, end) : NOTHING
}

export function paste(memory: TaintMemory, target: Word, length: Word, taint: Uint8Array): void {
  clear(memory, target, length)
  const start = startOf(target, length)
  const count = Math.min(taint.length, endOf(target, length) - start)
  if (count <= 0) return
  reserve(memory, start + count)
  memory.bytes.set(count === taint.length ? taint : taint.subarray(0, count), start)
}

/** Where a region starts; regions that cannot exist are empty. */
export function startOf(offset: Word, length: Word): number {
  return endOf(offset, length) === 0 ? 0 : (offset as number)
}

export function endOf(offset: Word, length: Word): number {
  if (length === 0 || typeof offset !== 'number' || typeof length !== 'number') return 0
  return offset + length > MAX_BYTES ? 0 : offset + length
}

function reserve(memory: TaintMemory, bytes: number): void {
  if (bytes > memory.bytes.length) {
    const larger = new Uint8Array(Math.max(bytes, memory.bytes.length * 2, START_BYTES))
    larger.set(memory.bytes)
    memory.bytes = larger
    memory.view = new DataView(larger.buffer)
  }
  memory.used = Math.max(memory.used, bytes)
}

/** Whether 32 bytes are all zero. */
function isClean(view: DataView, start: number): boolean {
  const first =
    view.getUint32(start) | view.getUint32(start + 4) | view.getUint32(start + 8) | view.getUint32(start + 12)
  if (first !== 0) return false
  return (
    (view.getUint32(start + 16) |
      view.getUint32(start + 20) |
      view.getUint32(start + 24) |
      view.getUint32(start + 28)) ===
    0
  )
}
