import { opcodeTable } from '../../instructions/opcodes.js'
import type { Code } from '../code.js'
import { NOT_AN_INSTRUCTION, type Rules } from '../rules.js'
import { writerOf } from './write-opcode.js'

/** Instructions that are entered at the first alone, and may be left at any jump. */
export interface Block {
  start: number
  /** Where each of its instructions stands. */
  places: readonly number[]
  /** By a jump, which is the last instruction; by running into `next`; or where none is written. */
  ending: 'jump' | 'next' | 'interpreter'
  /** What stands behind the last instruction. */
  next: number
  /** Where another block can begin behind this one without being jumped to. */
  follower: number | undefined
}

/** A longer one goes on in a block of its own. */
const MAX_INSTRUCTIONS = 96

export const JUMP = 0x56
export const JUMPI = 0x57
/** STOP, RETURN, REVERT, INVALID and SELFDESTRUCT, after which nothing follows. */
const LAST = new Set([0x00, 0xf3, 0xfd, 0xfe, 0xff])

/** Whether blocks hold this instruction. */
export function isWritten(opcode: number): boolean {
  return opcode === JUMP || opcode === JUMPI || writerOf(opcode) !== undefined
}

/**
 * The blocks at `starts` and those behind them, in the order of the code, with no more than `most`
 * instructions in all.
 */
export function readBlocks(code: Code, rules: Rules, starts: readonly number[], most: number): Block[] {
  const found = new Map<number, Block>()
  let room = most
  for (const start of starts) {
    for (let pc: number | undefined = start; pc !== undefined && !found.has(pc) && room > 0; ) {
      const block = readBlock(code, rules, pc)
      found.set(pc, block)
      room -= block.places.length
      pc = block.follower
    }
  }
  return [...found.values()].filter(({ places }) => places.length > 0).sort((a, b) => a.start - b.start)
}

function readBlock({ ops, bytes, jumpDestinations }: Code, { instructions }: Rules, start: number): Block {
  const places: number[] = []
  for (let pc = start; ; ) {
    const op = ops[pc] as number
    const block = { start, places, next: pc, follower: undefined }
    if (pc >= bytes.length) return { ...block, ending: 'interpreter' }
    const isPlace = jumpDestinations[pc] === 1 && pc !== start
    if (isPlace) return { ...block, ending: 'next' }
    if (places.length === MAX_INSTRUCTIONS) return { ...block, ending: 'next', follower: pc }
    const isValid = instructions[op] !== NOT_AN_INSTRUCTION
    const next = pc + 1 + (opcodeTable[op]?.immediate ?? 0)
    if (!isValid || !isWritten(op))
      return { ...block, ending: 'interpreter', follower: isValid && !LAST.has(op) ? next : undefined }
    places.push(pc)
    if (op === JUMP) return { ...block, next, ending: 'jump' }
    pc = next
  }
}
