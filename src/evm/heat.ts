import type { Frame } from './frame.js'
import type { Machine } from './machine.js'

/** How often the places of one code are jumped to, and the functions of those that often are. */
export interface Heat {
  readonly options: HeatOptions
  /** Jumps that the interpreter took within the code since the counts were last looked at. */
  jumps: number
  /** By place, once the code is warm. */
  visits: Uint32Array | undefined
  /**
   * Which function and which of its blocks begin at a place, as `hot-code/write-function.ts`
   * numbers them; or 0.
   */
  entries: Uint32Array | undefined
  functions: readonly HotFunction[]
  /** The table of opcodes under which the functions hold. */
  instructions: Int32Array | undefined
  /** Instructions that the functions are made of. */
  size: number
}

export interface HeatOptions {
  /** Jumps before places are counted one by one: most codes never get that far. */
  warmAfter: number
  /** Counted jumps from one look at the counts to the next. */
  lookEvery: number
  /**
   * Visits that make a place hot, and with it what is run on the way to it. V8 needs some 0.15 ms
   * to compile the code of one instruction, twice as a rule, which saves some 10 ns each time that
   * it runs: what is compiled is to have run some ten thousand times. An analysis alone is not to
   * reach it: the code of a new token is hardly run again.
   */
  hotAfter: number
}

const USUAL: HeatOptions = { warmAfter: 1_048_576, lookEvery: 131_072, hotAfter: 262_144 }

/** Functions are made of the whole code when it is first entered: for tests. */
export const HOT_AT_ONCE: HeatOptions = { warmAfter: Number.POSITIVE_INFINITY, lookEvery: 0, hotAfter: 0 }

/** All is interpreted, however often it runs: for what is compared with it. */
export const NEVER_HOT: HeatOptions = { ...USUAL, warmAfter: Number.POSITIVE_INFINITY }

/**
 * Runs from a block on, as far as its blocks lead to each other. Returns where the interpreter goes
 * on, with height, gas and steps in the registers of `hot-code/runtime.ts`. Nothing has been run
 * where that is the place that it was entered at.
 */
export type HotFunction = (
  block: number,
  machine: Machine,
  frame: Frame,
  height: number,
  gas: number,
  steps: number,
) => number

export function createHeat(options: HeatOptions = USUAL): Heat {
  return { options, jumps: 0, visits: undefined, entries: undefined, functions: [], instructions: undefined, size: 0 }
}
