import type { Word } from '../word.js'
import { type ByteMask, FULL_MASK } from './byte-mask.js'
import type { SourceSets } from './source-sets.js'

/** Memory behind this is not followed; the engine's own bound on memory is the same. */
const MAX_BYTES = 8 * 1024 * 1024
const START_BYTES = 1_024
const STACK_PLACES = 1_025
const WORD_BYTES = 32
/** Output of precompiles that is followed. */
const PRECOMPILE_BYTES = 256

/** The shadow of one frame. Taint is a set of sources as bits. */
export interface TaintFrame {
  /** By stack place: the shadow value, and which bytes of the word it has reached; the latter counts only where the former is not 0. */
  readonly stack: Int32Array
  readonly masks: Int32Array
  readonly memory: TaintMemory
  /** Makes a pooled frame ready for its next call. `caller` is absent where there is no calldata to follow. */
  reset(caller: TaintFrame | undefined): void
  /** The sources in any bytes of a region. */
  readMemory(offset: Word, length: Word): number
  /** The sources in a word; `loadedMask()` then says in which of its bytes. */
  loadMemory(offset: Word): number
  loadCalldata(offset: Word): number
  loadedMask(): ByteMask
  storeMemory(offset: Word, taint: number, mask: ByteMask): void
  storeByte(offset: Word, taint: number): void
  clearMemory(offset: Word, length: Word): void
  copyMemory(target: Word, source: Word, length: Word): void
  copyCalldata(target: Word, source: Word, length: Word): void
  copyReturnData(target: Word, source: Word, length: Word): void
  /** A call is about to happen: where its input and output stand in memory. */
  noteCall(inputOffset: Word, inputLength: Word, outputOffset: Word, outputLength: Word): void
  /** The frame is about to end with this output. */
  noteOutput(offset: Word, length: Word): void
  /** A call of this frame has ended with `length` bytes. */
  takeOutput(callee: TaintFrame, length: number, isDelivered: boolean): void
}

/** The number of a source set for each byte. */
interface TaintMemory {
  bytes: Uint8Array
  view: DataView
  /** Bytes that may be tainted; all behind them are not. */
  used: number
  /** The region that the call under way was given. */
  callStart: number
  callEnd: number
  output: Uint8Array
}

const NOTHING = new Uint8Array(0)

export function createTaintFrame(sets: SourceSets): TaintFrame {
  const memory = createMemory()
  let caller: TaintMemory | undefined
  let inputStart = 0
  let inputEnd = 0
  let outputStart = 0
  let outputEnd = 0
  let returnData: Uint8Array = NOTHING
  let loadedMask: ByteMask = 0

  const loadWord = ({ bytes, view, used }: TaintMemory, start: number, end: number): number => {
    loadedMask = 0
    const stop = Math.min(start + WORD_BYTES, used, end)
    if (start >= stop || (stop === start + WORD_BYTES && isClean(view, start))) return 0
    let taint = 0
    for (let index = start; index < stop; index += 1) {
      const set = bytes[index] as number
      if (set === 0) continue
      taint |= sets.sourcesOf(set)
      loadedMask |= 1 << (WORD_BYTES - 1 - (index - start))
    }
    return taint
  }

  const read = ({ bytes, used }: TaintMemory, offset: Word, length: Word): number => {
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

  return {
    stack: new Int32Array(STACK_PLACES),
    masks: new Int32Array(STACK_PLACES),
    memory,
    reset(calling) {
      memory.bytes.fill(0, 0, memory.used)
      memory.used = 0
      caller = calling?.memory
      inputStart = caller?.callStart ?? 0
      inputEnd = caller?.callEnd ?? 0
      returnData = NOTHING
      // A precompile takes no step: what it returns comes from what it was given.
      const input = caller === undefined || caller.used === 0 ? 0 : read(caller, inputStart, inputEnd - inputStart)
      memory.output = input === 0 ? NOTHING : new Uint8Array(PRECOMPILE_BYTES).fill(sets.setOf(input))
    },
    readMemory: (offset, length) => (memory.used === 0 ? 0 : read(memory, offset, length)),
    loadMemory: (offset) => (typeof offset === 'number' ? loadWord(memory, offset, MAX_BYTES) : 0),
    loadCalldata(offset) {
      if (caller === undefined || typeof offset !== 'number') return 0
      return loadWord(caller, inputStart + offset, inputEnd)
    },
    loadedMask: () => loadedMask,
    storeMemory(offset, taint, mask) {
      if (taint === 0 || typeof offset !== 'number') return clear(memory, offset, WORD_BYTES)
      if (offset > MAX_BYTES) return
      reserve(memory, offset + WORD_BYTES)
      const set = sets.setOf(taint)
      if (mask === FULL_MASK) memory.bytes.fill(set, offset, offset + WORD_BYTES)
      else
        for (let index = 0; index < WORD_BYTES; index += 1)
          memory.bytes[offset + index] = (mask >>> (31 - index)) & 1 ? set : 0
    },
    storeByte(offset, taint) {
      if (taint === 0 || typeof offset !== 'number') return clear(memory, offset, 1)
      if (offset > MAX_BYTES) return
      reserve(memory, offset + 1)
      memory.bytes[offset] = sets.setOf(taint)
    },
    clearMemory: (offset, length) => clear(memory, offset, length),
    copyMemory: (target, source, length) => paste(memory, target, length, slice(memory, source, length)),
    copyCalldata(target, source, length) {
      if (caller === undefined || typeof source !== 'number' || typeof length !== 'number') {
        return clear(memory, target, length)
      }
      const start = inputStart + source
      paste(memory, target, length, slice(caller, start, Math.max(0, Math.min(length, inputEnd - start))))
    },
    copyReturnData(target, source, length) {
      if (typeof source !== 'number' || typeof length !== 'number') return
      paste(memory, target, length, returnData.subarray(source, source + length))
    },
    noteCall(inputOffset, inputLength, outputOffset, outputLength) {
      memory.callStart = startOf(inputOffset, inputLength)
      memory.callEnd = endOf(inputOffset, inputLength)
      outputStart = startOf(outputOffset, outputLength)
      outputEnd = endOf(outputOffset, outputLength)
    },
    noteOutput(offset, length) {
      memory.output = slice(memory, offset, length)
    },
    takeOutput(callee, length, isDelivered) {
      returnData = isDelivered ? callee.memory.output : NOTHING
      const bytes = Math.min(outputEnd - outputStart, length)
      if (isDelivered && bytes > 0) paste(memory, outputStart, bytes, returnData)
    },
  }
}

function createMemory(): TaintMemory {
  const bytes = new Uint8Array(START_BYTES)
  return { bytes, view: new DataView(bytes.buffer), used: 0, callStart: 0, callEnd: 0, output: NOTHING }
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

/** Regions that cannot exist are empty. */
function startOf(offset: Word, length: Word): number {
  return endOf(offset, length) === 0 ? 0 : (offset as number)
}

function endOf(offset: Word, length: Word): number {
  if (length === 0 || typeof offset !== 'number' || typeof length !== 'number') return 0
  return offset + length > MAX_BYTES ? 0 : offset + length
}

function clear(memory: TaintMemory, offset: Word, length: Word): void {
  if (memory.used === 0 || typeof offset !== 'number' || offset >= memory.used) return
  memory.bytes.fill(0, offset, Math.min(memory.used, endOf(offset, length)))
}

function reserve(memory: TaintMemory, bytes: number): void {
  if (bytes > memory.bytes.length) {
    const larger = new Uint8Array(Math.max(bytes, memory.bytes.length * 2))
    larger.set(memory.bytes)
    memory.bytes = larger
    memory.view = new DataView(larger.buffer)
  }
  memory.used = Math.max(memory.used, bytes)
}

/** A copy of a region's taint, as far as there may be any. */
function slice(memory: TaintMemory, offset: Word, length: Word): Uint8Array {
  const start = startOf(offset, length)
  const end = Math.min(memory.used, endOf(offset, length))
  return start < end ? memory.bytes.slice(start, end) : NOTHING
}

function paste(memory: TaintMemory, target: Word, length: Word, taint: Uint8Array): void {
  clear(memory, target, length)
  const start = startOf(target, length)
  const count = Math.min(taint.length, endOf(target, length) - start)
  if (count <= 0) return
  reserve(memory, start + count)
  memory.bytes.set(count === taint.length ? taint : taint.subarray(0, count), start)
}
