import type { Program } from './disassemble.js'
import type { Effect } from './effects.js'
import type { Entry } from './entry.js'
import type { Memory } from './memory.js'
import type { Taint, Term, TermStore } from './terms.js'

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
  /**
   * Whether the budget is used up once this much more work is done. Ends the block, so that a
   * single one cannot take all the time.
   */
  isOver(work: number): boolean
}

/** A machine in the middle of a block. */
export interface Running extends Machine {
  state: MachineState
  effects: Effect[]
  /** Work beyond one unit for each instruction: words of memory looked at. */
  extra: number
}

/**
 * Runs one instruction at `pc`; the stack is high enough. Returns an end where control leaves the
 * straight line.
 */
export type Handler = (running: Running, pc: number) => BlockEnd | undefined
