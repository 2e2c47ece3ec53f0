import { immediateOf, type Program, readPush } from './disassemble.js'
import type { Effect } from './effects.js'
import type { Entry } from './entry.js'
import { createHandlers, type Handler } from './instructions.js'
import type { Memory } from './memory.js'
import { OP, opcodes } from './opcodes.js'
import type { Taint, Term, TermStore } from './term.js'

/** The machine between two instructions. */
export interface MachineState {
  stack: Term[]
  memory: Memory
  /** The call whose return data is at hand. */
  lastCall: Taint
}

/** How a block ends. `next` holds the pc that is reached without a jump. */
export type BlockEnd =
  | { kind: 'next'; next: number }
  | { kind: 'jump'; target: Term; pc: number }
  | { kind: 'branch'; target: Term; condition: Term; next: number; pc: number }
  | { kind: 'success'; pc: number }
  | { kind: 'failure'; pc: number }

/** What runs: the code, the way in, and the terms it makes. */
export interface Machine {
  store: TermStore
  program: Program
  entry: Entry
  /** The constants of the PUSHes that have run, by pc; shared by all entries of one code. */
  pushed: (Term | undefined)[]
}

/** A machine in the middle of a block. */
export interface Running extends Machine {
  state: MachineState
  effects: Effect[]
}

export interface BlockResult {
  state: MachineState
  effects: Effect[]
  end: BlockEnd
  steps: number
}

/** The EVM's own bound (Yellow Paper 9.1). */
const MAX_STACK = 1_024

const HANDLERS: readonly (Handler | undefined)[] = createHandlers()
const POPS = Uint16Array.from(opcodes, (opcode) => opcode?.pops ?? MAX_STACK + 1)
const GROWTH = Int16Array.from(opcodes, (opcode) => (opcode === undefined ? 0 : opcode.pushes - opcode.pops))

/** Runs the straight piece of code that begins at `pc`. `state.stack` is changed in place. */
export function executeBlock(machine: Machine, start: number, state: MachineState): BlockResult {
  const { store, program, entry, pushed } = machine
  const { code, jumpDestinations } = program
  const { stack } = state
  const effects: Effect[] = []
  const running: Running = { store, program, entry, pushed, state, effects }
  let pc = start
  let steps = 0
  for (;;) {
    const opcode = code[pc] ?? OP.STOP
    steps += 1
    if (opcode >= OP.PUSH0 && opcode <= OP.PUSH32) {
      if (stack.length >= MAX_STACK) return { state, effects, end: { kind: 'failure', pc }, steps }
      let term = pushed[pc]
      if (term === undefined) {
        term = store.constant(readPush(code, pc))
        pushed[pc] = term
      }
      stack.push(term)
      pc += 1 + opcode - OP.PUSH0
    } else if (opcode === OP.JUMPDEST) {
      pc += 1
    } else {
      const height = stack.length
      const handler = HANDLERS[opcode]
      if (handler === undefined || height < (POPS[opcode] ?? 0) || height + (GROWTH[opcode] ?? 0) > MAX_STACK)
        return { state, effects, end: { kind: 'failure', pc }, steps }
      const end = handler(running, pc)
      if (end !== undefined) return { state, effects, end, steps }
      pc += 1 + immediateOf(opcode)
    }
    if (jumpDestinations[pc] === 1) return { state, effects, end: { kind: 'next', next: pc }, steps }
  }
}
