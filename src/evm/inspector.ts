import type { Address, Hex } from '../hex.js'
import type { TransactionResult } from './transaction.js'

/** An event as the chain records it. */
export interface Log {
  address: Address
  topics: Hex[]
  data: Hex
  /** How long the data had been, where it was cut. */
  dataBytes?: number
}

/** The kinds that geth's callTracer tells apart. */
export type CallKind = 'CALL' | 'STATICCALL' | 'DELEGATECALL' | 'CALLCODE' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT'

/**
 * A frame that is about to run. The objects handed to hooks are reused: keep values, not the
 * object.
 */
export interface CallEvent {
  kind: CallKind
  depth: number
  from: Address
  /**
   * The account whose storage the frame uses is `to`, except for DELEGATECALL and CALLCODE, where
   * it is `from`.
   */
  to: Address
  value: bigint
  gas: bigint
  input: Uint8Array
  /** Where the running code comes from: `to`, or the EIP-7702 delegate of `to`. */
  codeAddress: Address
  isStatic: boolean
}

export interface CallEndEvent extends CallEvent {
  gasUsed: bigint
  output: Uint8Array
  /** Geth's words; `undefined` when the frame succeeded. */
  error: string | undefined
}

export interface StorageEvent {
  /** The account whose storage is touched (not the one whose code runs). */
  address: Address
  slot: bigint
  depth: number
  pc: number
}

/**
 * What an opcode hook may look at. Values are read on demand, so that a hook that looks at nothing
 * costs nothing.
 */
export interface StepEvent {
  pc: number
  opcode: number
  /** The byte behind the opcode; 0 beyond the code's end. */
  operand: number
  depth: number
  gas: bigint
  /** The account whose storage the frame uses. */
  address: Address
  codeAddress: Address
  /** Stack value, 0 is the top. */
  stack(index: number): bigint
  /**
   * The same as the engine holds it: a number up to 2^53-1, a bigint above. For inspectors that
   * look at very many.
   */
  stackWord(index: number): number | bigint
  /** Puts another value there: for an inspector that plays what would be if. */
  replace(index: number, word: number | bigint): void
  stackLength(): number
  /** A copy of a part of memory, with zeros where none is in use yet. */
  memory(at: number, length: number): Uint8Array
}

/**
 * Watches a simulation. All hooks are optional, each inspector answers one question, and `finish()`
 * gives the answer. Hooks run synchronously inside the interpreter; one that throws ends the job as
 * an internal error.
 */
export interface Inspector<T = unknown> {
  /**
   * Before the outermost frame of a transaction or read. `gasLimit` includes the intrinsic gas that
   * the frame does not get.
   */
  onTransaction?(gasLimit: bigint): void
  onTransactionEnd?(result: TransactionResult): void
  /** Called when the frame is entered, before value moves. */
  onCall?(event: CallEvent): void
  onCallEnd?(event: CallEndEvent): void
  onLog?(log: Log, depth: number): void
  onStorageRead?(event: StorageEvent & { value: bigint }): void
  onStorageWrite?(event: StorageEvent & { value: bigint; previous: bigint }): void
  /** Runs before each opcode listed in `opcodes`. */
  onStep?(event: StepEvent): void
  opcodes?: readonly number[]
  finish(): T
}

/**
 * One frame as geth's callTracer writes it: hex quantities, `calls` nested, optional fields absent
 * rather than empty.
 */
export interface CallFrame {
  type: CallKind
  from: Address
  to?: Address
  value?: Hex
  gas: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  error?: string
  revertReason?: string
  calls?: CallFrame[]
  /**
   * Its data was cut, or calls that it made are left out; of the outermost frame, of any frame
   * below it. Geth has no such fields.
   */
  isTruncated?: true | undefined
  /** How long what was cut had been. */
  inputBytes?: number | undefined
  outputBytes?: number | undefined
  /** `index` counts the transaction's logs, `position` the calls that the frame had made before. */
  logs?: (Log & { index: Hex; position: Hex })[]
}
