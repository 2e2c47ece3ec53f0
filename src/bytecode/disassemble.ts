import { isDeepOperand } from '../instructions/deep-stack.js'
import { OP, opcodeTable } from '../instructions/opcodes.js'
import { lengthWithoutMetadata } from './metadata.js'

/** Runtime code with its instruction borders. */
export interface Program {
  code: Uint8Array
  /**
   * 1 at each byte that is a JUMPDEST opcode, not push data. Covers the whole code, the trailer
   * too, as the EVM does.
   */
  jumpDestinations: Uint8Array
  /** Where the compiler's metadata begins; the code's length when there is none. */
  metadataStart: number
}

export interface Instruction {
  pc: number
  opcode: number
}

/** Marks instruction borders and jump destinations in one pass. */
export function disassemble(code: Uint8Array): Program {
  const jumpDestinations = new Uint8Array(code.length)
  for (let pc = 0; pc < code.length; pc += 1 + immediateAt(code, pc)) {
    if (code[pc] === OP.JUMPDEST) jumpDestinations[pc] = 1
  }
  return { code, jumpDestinations, metadataStart: lengthWithoutMetadata(code) }
}

/**
 * Instructions in order of their bytes, trailer left out: what *could* be code. Says nothing about
 * what can run.
 */
export function* sweep({ code, metadataStart }: Program): Generator<Instruction> {
  for (let pc = 0; pc < metadataStart; ) {
    const opcode = code[pc] ?? 0
    yield { pc, opcode }
    pc += 1 + immediateAt(code, pc)
  }
}

/**
 * Bytes behind the opcode at `pc` that are its operand. One that DUPN, SWAPN and EXCHANGE refuse
 * is an instruction of its own, behind one that halts (EIP-8024).
 */
export function immediateAt(code: Uint8Array, pc: number): number {
  const opcode = code[pc] ?? OP.STOP
  const bytes = opcodeTable[opcode]?.immediate ?? 0
  if (bytes === 0 || (opcode >= OP.PUSH0 && opcode <= OP.PUSH32)) return bytes
  return isDeepOperand(opcode, code[pc + 1] ?? 0) ? bytes : 0
}

/** The constant that a PUSH at `pc` puts on the stack; bytes beyond the code's end are zero. */
export function readPush(code: Uint8Array, pc: number): bigint {
  const size = immediateAt(code, pc)
  let value = 0n
  for (let i = 1; i <= size; i += 1) value = (value << 8n) | BigInt(code[pc + i] ?? 0)
  return value
}
