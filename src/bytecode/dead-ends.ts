import { OP, opcodeByName, opcodeTable } from '../instructions/opcodes.js'
import { immediateAt, type Program, readPush } from './disassemble.js'

/**
 * Blocks behind one that are looked at: to copy the text of an error takes compilers twelve
 * (measured).
 */
const MAX_BLOCKS = 32
/** Items of the stack that such code uses of what it found, and those it adds. */
const MAX_ITEMS = 64

/** Says which code can only fail. */
export interface DeadEnds {
  /**
   * How many items of the stack the code from here on may touch, where each way of it ends in a
   * revert; `undefined` where one may end otherwise.
   */
  depthAt(pc: number): number | undefined
}

const known = new WeakMap<Program, DeadEnds>()

/** Reads dead ends from the code alone, each place once. */
export function readDeadEnds(program: Program): DeadEnds {
  const found = known.get(program) ?? createDeadEnds(program)
  known.set(program, found)
  return found
}

function createDeadEnds(program: Program): DeadEnds {
  const depths = new Map<number, number | undefined>()
  return {
    depthAt(pc) {
      if (!depths.has(pc)) depths.set(pc, follow(program, pc))
      return depths.get(pc)
    },
  }
}

/** A constant that was pushed; `undefined` for anything else. */
type Item = number | undefined

/** A place on a way, with what the way has put onto the stack and how deep it has reached below. */
interface Way {
  pc: number
  stack: Item[]
  depth: number
}

/** The depth of all ways from a place together, if each of them fails. */
function follow(program: Program, start: number): number | undefined {
  const seen = new Set<string>()
  const open: Way[] = [{ pc: start, stack: [], depth: 0 }]
  let deepest = 0
  for (let way = open.pop(); way !== undefined; way = open.pop()) {
    const key = `${way.pc} ${way.depth} ${way.stack.join(' ')}`
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size > MAX_BLOCKS) return undefined
    const next = run(program, way)
    if (next === undefined) return undefined
    deepest = Math.max(deepest, way.depth)
    for (const pc of next) open.push({ pc, stack: [...way.stack], depth: way.depth })
  }
  return deepest
}

/**
 * Runs one block, changing the way; where it leads, or `undefined` where that may be no failure.
 */
function run({ code, jumpDestinations }: Program, way: Way): readonly number[] | undefined {
  const { stack } = way
  const reach = (items: number) => {
    for (; stack.length < items; way.depth += 1) stack.unshift(undefined)
  }
  for (let pc = way.pc; ; ) {
    const opcode = code[pc] ?? OP.STOP
    const entry = opcodeTable[opcode]
    if (entry === undefined) return []
    reach(entry.pops)
    if (FAILS.has(opcode)) return []
    if (ENDS_WELL.has(opcode) || stack.length > MAX_ITEMS) return undefined
    const next = pc + 1 + immediateAt(code, pc)
    if (opcode === JUMP || opcode === JUMPI) {
      const target = stack.pop()
      if (target === undefined) return undefined
      const to = jumpDestinations[target] === 1 ? [target] : []
      if (opcode === JUMP) return to
      stack.pop()
      return [...to, next]
    }
    if (opcode >= OP.PUSH0 && opcode <= OP.PUSH32) stack.push(Number(readPush(code, pc)))
    else if (opcode >= DUP1 && opcode < SWAP1) stack.push(stack[stack.length - 1 - (opcode - DUP1)])
    else if (opcode >= SWAP1 && opcode < SWAP1 + 16) swap(stack, opcode - SWAP1 + 1)
    else if (next > pc + 1) return undefined
    else stack.splice(stack.length - entry.pops, entry.pops, ...Array<Item>(entry.pushes).fill(undefined))
    pc = next
    if (jumpDestinations[pc] === 1) return [pc]
  }
}

const [JUMP, JUMPI] = [opcodeByName('JUMP'), opcodeByName('JUMPI')]
const [DUP1, SWAP1] = [opcodeByName('DUP1'), opcodeByName('SWAP1')]
const FAILS: ReadonlySet<number> = new Set([opcodeByName('REVERT'), opcodeByName('INVALID')])
const ENDS_WELL: ReadonlySet<number> = new Set(['STOP', 'RETURN', 'SELFDESTRUCT'].map(opcodeByName))

function swap(stack: Item[], below: number): void {
  const top = stack.length - 1
  const item = stack[top]
  stack[top] = stack[top - below]
  stack[top - below] = item
}
