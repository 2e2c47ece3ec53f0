import { OP, opcodeTable } from '../instructions/opcodes.js'
import type { BlockEnd, Handler, Machine, MachineState, Running } from './abstract-machine.js'
import { immediateAt, readPush } from './disassemble.js'
import type { Effect } from './effects.js'
import { createHandlers } from './instructions.js'

/** Units of work after which the budget is looked at: less than a millisecond. */
export const WORK_PER_GLANCE = 512

export interface BlockResult {
  state: MachineState
  effects: readonly Effect[]
  end: BlockEnd
  steps: number
}

/** The EVM's own bound (Yellow Paper 9.1). */
const MAX_STACK = 1_024

const HANDLERS: readonly (Handler | undefined)[] = createHandlers()
const POPS = Uint16Array.from(opcodeTable, (opcode) => opcode?.pops ?? MAX_STACK + 1)
const GROWTH = Int16Array.from(opcodeTable, (opcode) => (opcode === undefined ? 0 : opcode.pushes - opcode.pops))

/** Runs the straight piece of code that begins at `pc`. `state.stack` is changed in place. */
export function executeBlock(machine: Machine, start: number, state: MachineState): BlockResult {
  const { store, program, entry, pushed, isOver } = machine
  const { code, jumpDestinations } = program
  const { stack } = state
  const effects: Effect[] = []
  const running: Running = { store, program, entry, pushed, isOver, state, effects, extra: 0 }
  let pc = start
  let instructions = 0
  let glanceAt = WORK_PER_GLANCE
  let end: BlockEnd | undefined
  while (end === undefined) {
    const opcode = code[pc] ?? OP.STOP
    instructions += 1
    if (instructions + running.extra >= glanceAt) {
      glanceAt += WORK_PER_GLANCE
      if (isOver(instructions + running.extra)) {
        end = { kind: 'failure', pc }
        break
      }
    }
    if (opcode >= OP.PUSH0 && opcode <= OP.PUSH32) {
      if (stack.length >= MAX_STACK) {
        end = { kind: 'failure', pc }
        break
      }
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
      const isRefused =
        handler === undefined || height < (POPS[opcode] ?? 0) || height + (GROWTH[opcode] ?? 0) > MAX_STACK
      end = isRefused ? { kind: 'failure', pc } : handler(running, pc)
      if (end !== undefined) break
      pc += 1 + immediateAt(code, pc)
    }
    if (jumpDestinations[pc] === 1) end = { kind: 'next', next: pc }
  }
  return { state, effects, end, steps: instructions + running.extra }
}
