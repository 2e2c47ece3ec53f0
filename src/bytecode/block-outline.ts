import { OP, opcodeByName, opcodeTable } from '../instructions/opcodes.js'
import { immediateAt, type Program } from './disassemble.js'

/**
 * What lies on the stack behind a block: a constant that was pushed, as it is; {@link COMPUTED}; or
 * what lay there before, by {@link found}.
 */
export type Item = number

/** Anything that is no constant and was not there before. */
export const COMPUTED: Item = -1

/** What lay `below` items under the top when the block began. */
export const found = (below: number): Item => -2 - below

/** How far under the top an item lay that was there before; less than zero for any other. */
export const placeOf = (item: Item): number => -2 - item

/**
 * What a block does to the stack, whatever lies there, and how it ends. `open`: in a way that may
 * be no failure, or that is not followed.
 */
export interface BlockOutline {
  end: 'fails' | 'open' | 'jump' | 'branch' | 'next'
  /** Items that it touches of those it finds. */
  takes: number
  /** What lies in their place at the end, the top last. */
  leaves: readonly Item[]
  /** The most items above those that it finds. */
  rise: number
  /** Where `jump` and `branch` lead. */
  target: Item
  /** What follows without a jump. */
  next: number
}

/** Items of the stack that code which only fails uses of what it found, and those it adds. */
export const MAX_ITEMS = 64

/** Reads the block that begins at `start`. */
export function outlineBlock({ code, jumpDestinations }: Program, start: number): BlockOutline {
  const stack: Item[] = []
  const outline = { end: 'open', takes: 0, leaves: stack, rise: 0, target: COMPUTED, next: start }
  const end = (kind: BlockOutline['end']) => Object.assign(outline, { end: kind }) as BlockOutline
  for (let pc = start; ; ) {
    const opcode = code[pc] ?? OP.STOP
    const entry = opcodeTable[opcode]
    if (entry === undefined) return end('fails')
    const { pops } = entry
    while (stack.length < pops) stack.unshift(found(outline.takes++))
    if (opcode === REVERT || opcode === INVALID) return end('fails')
    outline.rise = Math.max(outline.rise, stack.length - outline.takes)
    if (opcode === OP.STOP || opcode === RETURN || opcode === SELFDESTRUCT) return end('open')
    if (stack.length > MAX_ITEMS) return end('open')
    const bytes = immediateAt(code, pc)
    const next = pc + 1 + bytes
    outline.next = next
    if (opcode === JUMP || opcode === JUMPI) {
      outline.target = stack.pop() ?? COMPUTED
      if (opcode === JUMP) return end('jump')
      stack.pop()
      return end('branch')
    }
    if (opcode >= OP.PUSH0 && opcode <= OP.PUSH32) stack.push(readNumber(code, pc + 1, next))
    else if (opcode >= DUP1 && opcode < SWAP1) stack.push(stack[stack.length - 1 - (opcode - DUP1)] ?? COMPUTED)
    else if (opcode >= SWAP1 && opcode < SWAP1 + 16) swap(stack, opcode - SWAP1 + 1)
    else if (bytes > 0) return end('open')
    else {
      stack.length -= pops
      for (let left = entry.pushes; left > 0; left -= 1) stack.push(COMPUTED)
    }
    pc = next
    if (jumpDestinations[pc] === 1) return end('next')
  }
}

const [REVERT, INVALID, RETURN, SELFDESTRUCT] = ['REVERT', 'INVALID', 'RETURN', 'SELFDESTRUCT'].map(opcodeByName)
const [JUMP, JUMPI] = [opcodeByName('JUMP'), opcodeByName('JUMPI')]
const [DUP1, SWAP1] = [opcodeByName('DUP1'), opcodeByName('SWAP1')]

/** A pushed constant; larger ones than any place in code need not be exact. */
function readNumber(code: Uint8Array, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) value = value * 256 + (code[at] ?? 0)
  return value
}

function swap(stack: Item[], below: number): void {
  const top = stack.length - 1
  const item = stack[top] ?? COMPUTED
  stack[top] = stack[top - below] ?? COMPUTED
  stack[top - below] = item
}
