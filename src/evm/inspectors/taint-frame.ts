import type { Word } from '../../instructions/word.js'
import type { SourceSets } from './source-sets.js'
import {
  clear,
  clearAll,
  createTaintMemory,
  endOf,
  loadWord,
  NOTHING,
  paste,
  readRegion,
  slice,
  startOf,
  type TaintMemory,
} from './taint-memory.js'

/** Output of precompiles that is followed. */
const PRECOMPILE_BYTES = 256

/** The shadow of one frame but for its stack. Frames are pooled by depth. */
export interface TaintFrame {
  /** Where its stack begins in that of all frames, and where it ended when a call began. */
  base: number
  top: number
  readonly memory: TaintMemory
  /**
   * The frame whose memory the calldata stands in, and where; absent where there is no calldata to
   * follow.
   */
  caller: TaintMemory | undefined
  inputStart: number
  inputEnd: number
  /** The regions of memory that the call under way was given, and that its answer goes to. */
  callStart: number
  callEnd: number
  outputStart: number
  outputEnd: number
  returnData: Uint8Array
  output: Uint8Array
}

export function createTaintFrame(): TaintFrame {
  return {
    base: 0,
    top: 0,
    memory: createTaintMemory(),
    caller: undefined,
    inputStart: 0,
    inputEnd: 0,
    callStart: 0,
    callEnd: 0,
    outputStart: 0,
    outputEnd: 0,
    returnData: NOTHING,
    output: NOTHING,
  }
}

/** Makes a pooled frame ready for its next call, which `caller` makes if that passes calldata. */
export function resetTaintFrame(frame: TaintFrame, base: number, caller: TaintFrame | undefined, sets: SourceSets) {
  clearAll(frame.memory)
  frame.base = base
  frame.caller = caller?.memory
  frame.inputStart = caller?.callStart ?? 0
  frame.inputEnd = caller?.callEnd ?? 0
  frame.returnData = NOTHING
  // A precompile takes no step: what it returns comes from what it was given.
  const input =
    caller === undefined ? 0 : readRegion(caller.memory, frame.inputStart, frame.inputEnd - frame.inputStart, sets)
  frame.output = input === 0 ? NOTHING : new Uint8Array(PRECOMPILE_BYTES).fill(sets.setOf(input))
}

/**
 * The sources in a word of the calldata; `loadedMask` of the caller's memory then says in which of
 * its bytes.
 */
export function loadCalldata({ caller, inputStart, inputEnd }: TaintFrame, offset: Word, sets: SourceSets): number {
  if (caller === undefined || typeof offset !== 'number') return 0
  return loadWord(caller, inputStart + offset, inputEnd, sets)
}

export function copyCalldata(frame: TaintFrame, target: Word, source: Word, length: Word): void {
  const { memory, caller, inputStart, inputEnd } = frame
  if (caller === undefined || typeof source !== 'number' || typeof length !== 'number') {
    clear(memory, target, length)
    return
  }
  const start = inputStart + source
  paste(memory, target, length, slice(caller, start, Math.max(0, Math.min(length, inputEnd - start))))
}

export function copyReturnData({ memory, returnData }: TaintFrame, target: Word, source: Word, length: Word): void {
  if (typeof source !== 'number' || typeof length !== 'number') return
  paste(memory, target, length, returnData.subarray(source, source + length))
}

/** A call is about to happen: where its input and output stand in memory. */
export function noteCall(frame: TaintFrame, input: Word, inputLength: Word, output: Word, outputLength: Word): void {
  frame.callStart = startOf(input, inputLength)
  frame.callEnd = endOf(input, inputLength)
  frame.outputStart = startOf(output, outputLength)
  frame.outputEnd = endOf(output, outputLength)
}

/** A call of this frame has ended with `length` bytes. */
export function takeOutput(frame: TaintFrame, callee: TaintFrame, length: number, isDelivered: boolean): void {
  frame.returnData = isDelivered ? callee.output : NOTHING
  const bytes = Math.min(frame.outputEnd - frame.outputStart, length)
  if (isDelivered && bytes > 0) paste(frame.memory, frame.outputStart, bytes, frame.returnData)
}
