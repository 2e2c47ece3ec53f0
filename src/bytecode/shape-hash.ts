import type { Hex } from '../hex.js'
import { OP } from '../instructions/opcodes.js'
import { keccak256 } from '../keccak.js'
import { type Program, readPush, sweep } from './disassemble.js'

/** What stands for pushes: the opcodes that compilers mostly take for each. */
const [CONSTANT, PLACE, SELECTOR] = [OP.PUSH0 + 1, OP.PUSH0 + 2, OP.PUSH0 + 4]
/** Selectors, and what else is compared with the first bytes of a call. */
const SELECTOR_BYTES = 4
/** A place in code; the largest code has 16 bits of it, and the next fork's a few more. */
const MAX_PLACE_BYTES = 3

/**
 * Hash of what a code does, without the constants that differ between copies of one source: the
 * metadata, addresses, immutables, taxes, limits and slots, however many bytes each takes. What is
 * left are the instructions in order, where they jump to (by the number of the target, since
 * constants of other lengths move it), and selectors.
 */
export function hashShape(program: Program): Hex {
  const numberOf = numberTargets(program)
  const shape: number[] = []
  for (const { pc, opcode } of sweep(program)) {
    const size = opcode - OP.PUSH0
    if (size < 0 || opcode > OP.PUSH32) {
      shape.push(opcode)
      continue
    }
    // PUSH0 is the constant zero.
    const target = size > 0 && size <= MAX_PLACE_BYTES ? numberOf.get(Number(readPush(program.code, pc))) : undefined
    if (target !== undefined) shape.push(PLACE, target >> 8, target & 0xff)
    else if (size === SELECTOR_BYTES) shape.push(SELECTOR, ...program.code.subarray(pc + 1, pc + 1 + size))
    else shape.push(CONSTANT)
  }
  return keccak256(Uint8Array.from(shape))
}

/** The same of a code with what it delegates to: every proxy of one kind has the same code. */
export const joinShapes = (own: Hex, others: readonly Hex[]): Hex =>
  others.length === 0 ? own : keccak256(Buffer.from([own, ...[...new Set(others)].sort()].join(' ')))

function numberTargets({ jumpDestinations, metadataStart }: Program): Map<number, number> {
  const found = new Map<number, number>()
  for (let pc = 0; pc < metadataStart; pc += 1) if (jumpDestinations[pc] === 1) found.set(pc, found.size)
  return found
}
