import type { Address } from '../hex.js'
import { copyInto } from '../instructions/bytes.js'
import type { Word } from '../instructions/word.js'
import type { Frame } from './frame.js'
import type { StepEvent } from './inspector.js'

/**
 * A window on the frame that is about to step: one object for a whole run, so that a step costs no
 * memory. A class, because the getters of an object literal give every literal a shape of its own,
 * which makes each step four times as slow.
 */
export class StepWindow implements StepEvent {
  opcode = 0
  pc = 0
  gasLeft = 0
  /** Of the stack. */
  height = 0
  frame: Frame

  constructor(frame: Frame) {
    this.frame = frame
  }

  get operand(): number {
    return this.frame.code.ops[this.pc + 1] ?? 0
  }

  get depth(): number {
    return this.frame.depth
  }

  get gas(): bigint {
    return BigInt(this.gasLeft)
  }

  get address(): Address {
    return this.frame.self.address
  }

  get codeAddress(): Address {
    return this.frame.codeAddress
  }

  stack(index: number): bigint {
    return BigInt(this.stackWord(index))
  }

  stackWord(index: number): Word {
    return this.frame.stack[this.height - 1 - index] ?? 0
  }

  replace(index: number, word: Word): void {
    this.frame.stack[this.height - 1 - index] = word
  }

  stackLength(): number {
    return this.height
  }

  memory(at: number, length: number): Uint8Array {
    const { memory, memorySize } = this.frame
    const bytes = new Uint8Array(length)
    copyInto(bytes, 0, memory, at, Math.max(0, Math.min(length, memorySize - at)))
    return bytes
  }
}
