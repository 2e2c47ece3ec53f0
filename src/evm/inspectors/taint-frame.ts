type Word = number | bigint

/** Taint is kept per four bytes: ABI-encoded words stand at multiples of four, behind the selector. */
const UNIT_BYTES = 4
/** Memory behind this is not followed; the engine's own bound on memory is the same. */
const MAX_BYTES = 8 * 1024 * 1024
const START_UNITS = 256

/** The shadow of one frame. */
export interface TaintFrame {
  /** Shadow values by stack place. */
  readonly stack: Int32Array
  readMemory(offset: Word, length: Word): number
  /** Replaces. */
  writeMemory(offset: Word, length: Word, taint: number): void
  /** Adds to what is there. */
  addMemory(offset: Word, length: Word, taint: number): void
  copyMemory(target: Word, source: Word, length: Word): void
  readCalldata(offset: Word, length: Word): number
  copyCalldata(target: Word, source: Word, length: Word): void
  copyReturnData(target: Word, source: Word, length: Word): void
  /** A call is about to happen: where its input and output stand in memory. */
  noteCall(inputOffset: Word, inputLength: Word, outputOffset: Word, outputLength: Word): void
  /** The frame is about to end with this output. */
  noteReturn(offset: Word, length: Word): void
  /** A call of this frame has ended. */
  takeReturn(callee: TaintFrame, length: number, isDelivered: boolean): void
  /** For the other frames of the same inspector. */
  readonly inner: TaintMemory
}

interface TaintMemory {
  units: Int32Array
  /** Units that may be tainted. */
  used: number
  /** Whose memory holds the calldata, and from where. */
  caller: TaintMemory | undefined
  inputStart: number
  inputEnd: number
  /** The region of the call under way. */
  callStart: number
  callEnd: number
  outputStart: number
  outputEnd: number
  /** Taint of the output that this frame will leave, and of what its last call has left. */
  output: Int32Array
  returnData: Int32Array
}

const NOTHING = new Int32Array(0)

export function createTaintFrame(): TaintFrame {
  const inner: TaintMemory = {
    units: new Int32Array(START_UNITS),
    used: 0,
    caller: undefined,
    inputStart: 0,
    inputEnd: 0,
    callStart: 0,
    callEnd: 0,
    outputStart: 0,
    outputEnd: 0,
    output: NOTHING,
    returnData: NOTHING,
  }
  return {
    stack: new Int32Array(1_025),
    inner,
    readMemory: (offset, length) => read(inner, offset, length),
    writeMemory: (offset, length, taint) => write(inner, offset, length, taint),
    addMemory(offset, length, taint) {
      if (taint !== 0) write(inner, offset, length, taint | read(inner, offset, length))
    },
    copyMemory(target, source, length) {
      paste(inner, target, length, slice(inner, source, length))
    },
    readCalldata(offset, length) {
      const { caller, inputStart, inputEnd } = inner
      if (caller === undefined || caller.used === 0 || typeof offset !== 'number' || typeof length !== 'number')
        return 0
      const start = inputStart + offset
      return read(caller, start, Math.min(length, inputEnd - start))
    },
    copyCalldata(target, source, length) {
      const { caller, inputStart, inputEnd } = inner
      if (caller === undefined || typeof source !== 'number' || typeof length !== 'number')
        return write(inner, target, length, 0)
      const start = inputStart + source
      paste(inner, target, length, slice(caller, start, Math.max(0, Math.min(length, inputEnd - start))))
    },
    copyReturnData(target, source, length) {
      if (typeof source !== 'number' || typeof length !== 'number') return
      const first = Math.floor(source / UNIT_BYTES)
      paste(inner, target, length, inner.returnData.subarray(first, first + Math.ceil(length / UNIT_BYTES)))
    },
    noteCall(inputOffset, inputLength, outputOffset, outputLength) {
      ;[inner.callStart, inner.callEnd] = region(inputOffset, inputLength)
      ;[inner.outputStart, inner.outputEnd] = region(outputOffset, outputLength)
    },
    noteReturn(offset, length) {
      inner.output = slice(inner, offset, length)
    },
    takeReturn({ inner: callee }, length, isDelivered) {
      inner.returnData = isDelivered ? callee.output : NOTHING
      const bytes = Math.min(inner.outputEnd - inner.outputStart, length)
      if (isDelivered && bytes > 0) paste(inner, inner.outputStart, bytes, inner.returnData)
    },
  }
}

/** Makes a pooled shadow ready for its next frame. */
export function resetTaintFrame({ inner }: TaintFrame, caller: TaintFrame | undefined): void {
  inner.units.fill(0, 0, inner.used)
  inner.used = 0
  inner.caller = caller?.inner
  inner.inputStart = caller?.inner.callStart ?? 0
  inner.inputEnd = caller?.inner.callEnd ?? 0
  inner.returnData = NOTHING
  // A precompile has no frame of its own: what it returns comes from what it was given.
  const input = caller === undefined ? 0 : read(caller.inner, inner.inputStart, inner.inputEnd - inner.inputStart)
  inner.output = input === 0 ? NOTHING : new Int32Array(PRECOMPILE_UNITS).fill(input)
}

/** Output of precompiles that is followed. */
const PRECOMPILE_UNITS = 64

/** Start and end of a region that can exist; an empty one otherwise. */
function region(offset: Word, length: Word): [start: number, end: number] {
  if (typeof offset !== 'number' || typeof length !== 'number' || offset + length > MAX_BYTES) return [0, 0]
  return [offset, offset + length]
}

function read({ units, used }: TaintMemory, offset: Word, length: Word): number {
  if (used === 0) return 0
  const [start, end] = region(offset, length)
  const last = Math.min(used, Math.ceil(end / UNIT_BYTES))
  let taint = 0
  for (let unit = Math.floor(start / UNIT_BYTES); unit < last; unit += 1) taint |= units[unit] as number
  return taint
}

function write(memory: TaintMemory, offset: Word, length: Word, taint: number): void {
  if (taint === 0 && memory.used === 0) return
  const [start, end] = region(offset, length)
  const first = Math.floor(start / UNIT_BYTES)
  const last = Math.ceil(end / UNIT_BYTES)
  if (last === first) return
  if (taint === 0) {
    memory.units.fill(0, first, Math.min(last, memory.used))
    return
  }
  reserve(memory, last)
  memory.units.fill(taint, first, last)
}

function reserve(memory: TaintMemory, units: number): void {
  if (units > memory.units.length) {
    const larger = new Int32Array(Math.max(units, memory.units.length * 2))
    larger.set(memory.units)
    memory.units = larger
  }
  memory.used = Math.max(memory.used, units)
}

/** A copy of a region's taint; empty where there is none. */
function slice(memory: TaintMemory, offset: Word, length: Word): Int32Array {
  if (read(memory, offset, length) === 0) return NOTHING
  const [start, end] = region(offset, length)
  return memory.units.slice(Math.floor(start / UNIT_BYTES), Math.ceil(end / UNIT_BYTES))
}

function paste(memory: TaintMemory, target: Word, length: Word, taint: Int32Array): void {
  write(memory, target, length, 0)
  if (taint.length === 0) return
  const [start, end] = region(target, length)
  const first = Math.floor(start / UNIT_BYTES)
  const units = taint.subarray(0, Math.ceil(end / UNIT_BYTES) - first)
  if (units.length === 0) return
  reserve(memory, first + units.length)
  memory.units.set(units, first)
}
