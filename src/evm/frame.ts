import type { Address } from '../hex.js'
import type { Word } from '../instructions/word.js'
import type { AccountEntry } from './account-entry.js'
import { type Code, EMPTY_CODE } from './code.js'
import type { CallKind } from './inspector.js'
import { STACK_LIMIT } from './rules.js'

/**
 * One running call or creation. Frames are pooled by depth: a call allocates nothing but what its
 * code asks for.
 */
export interface Frame {
  depth: number
  kind: CallKind
  /** Whose storage and balance the frame uses. */
  self: AccountEntry
  /** What CALLER answers. */
  caller: Word
  /** What CALLVALUE answers. */
  value: Word
  /** The called address as the CALL named it, and where the running code comes from. */
  target: Address
  codeAddress: Address
  isStatic: boolean
  isCreation: boolean
  code: Code
  /** Call data, a window into the caller's memory, which stands still while this frame runs. */
  input: Uint8Array
  inputView: DataView
  inputStart: number
  inputLength: number
  gasLimit: number
  gas: number
  pc: number
  /** Stack height. */
  height: number
  stack: Word[]
  memory: Uint8Array
  view: DataView
  /** Bytes of memory in use, a multiple of 32. */
  memorySize: number
  returnData: Uint8Array
  /** Where in the caller's memory the output goes. */
  outputStart: number
  outputLength: number
  /** The address under creation, while a CREATE of this frame is under way. */
  createdAddress: Word | undefined
  /** The way back when the frame fails. */
  undo: number
  warm: number
  logs: number
  refund: number
}

export const NO_BYTES = new Uint8Array(0)
const NO_VIEW = new DataView(NO_BYTES.buffer)

/** What a frame's memory starts with, and shrinks to after a frame that needed much. */
const MEMORY_START_BYTES = 2_048
const MEMORY_KEEP_BYTES = 64 * 1_024

export function createFrame(depth: number, nullAccount: AccountEntry): Frame {
  const memory = new Uint8Array(MEMORY_START_BYTES)
  return {
    depth,
    kind: 'CALL',
    self: nullAccount,
    caller: 0,
    value: 0,
    target: nullAccount.address,
    codeAddress: nullAccount.address,
    isStatic: false,
    isCreation: false,
    code: EMPTY_CODE,
    input: NO_BYTES,
    inputView: NO_VIEW,
    inputStart: 0,
    inputLength: 0,
    gasLimit: 0,
    gas: 0,
    pc: 0,
    height: 0,
    stack: emptyStack.slice(),
    memory,
    view: new DataView(memory.buffer),
    memorySize: 0,
    returnData: NO_BYTES,
    outputStart: 0,
    outputLength: 0,
    createdAddress: undefined,
    undo: 0,
    warm: 0,
    logs: 0,
    refund: 0,
  }
}

/** Makes a pooled frame ready for its next use: nothing of the last one may shine through. */
export function resetFrame(frame: Frame): void {
  frame.pc = 0
  frame.height = 0
  frame.returnData = NO_BYTES
  frame.createdAddress = undefined
  if (frame.memory.length > MEMORY_KEEP_BYTES) replaceMemory(frame, new Uint8Array(MEMORY_START_BYTES))
  else frame.memory.fill(0, 0, frame.memorySize)
  frame.memorySize = 0
}

/**
 * A stack in full length, so that pushing never grows it. It is made by pushing bigints, because an
 * array that was made otherwise changes its inner form when the first bigint comes, and the
 * interpreter's compiled code would have to know both forms. Its copies are as long as it is.
 */
const emptyStack: Word[] = []
for (let index = 0; index <= STACK_LIMIT; index += 1) emptyStack.push(0n)

function replaceMemory(frame: Frame, memory: Uint8Array): void {
  frame.memory = memory
  frame.view = new DataView(memory.buffer)
}

/** Makes `bytes` (a multiple of 32) of memory usable. The gas is paid already. */
export function growMemory(frame: Frame, bytes: number): void {
  if (bytes > frame.memory.length) {
    const memory = new Uint8Array(Math.max(bytes, frame.memory.length * 2))
    memory.set(frame.memory.subarray(0, frame.memorySize))
    replaceMemory(frame, memory)
  }
  frame.memorySize = bytes
}

/** Total gas of `bytes` of memory (Yellow Paper, equation 326). */
export function memoryGas(bytes: number): number {
  const words = bytes / 32
  return 3 * words + Math.floor((words * words) / 512)
}

/** Where a memory region ends: 0 if it is empty, infinite where no machine could hold it. */
export function regionEnd(offset: Word, length: Word): number {
  if (length === 0) return 0
  return typeof offset === 'number' && typeof length === 'number' ? offset + length : Number.POSITIVE_INFINITY
}
