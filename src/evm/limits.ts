import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'

/**
 * Bounds on what hostile code may cost us. Gas is not time in an interpreter, so each resource has
 * its own. Counted over the life of one {@link Evm}, unless the name says otherwise.
 */
export interface Limits {
  /** Opcodes executed. */
  steps: number
  /** Call and create frames. */
  frames: number
  /** Nesting of frames; the chain's own limit is 1024. */
  depth: number
  /** Bytes of memory of one frame. */
  frameMemoryBytes: number
  /** Bytes of return data of one frame. */
  returnDataBytes: number
  logs: number
  logBytes: number
  /**
   * Microseconds that precompiles take by their nominal price (`microsPerGas` of each): the same on
   * a busy machine.
   */
  precompileMicros: number
  /** Values asked for that were not fetched. A run that lacks this many is void anyway. */
  misses: number
  /**
   * By the clock that the engine is given: in worker threads, one that counts the thread's
   * processor time.
   */
  wallClockMs: number
}

/**
 * For one request. A round trip through a pool takes about 50,000 steps and 100 frames, one of a
 * token that sells its fees thrice as much; a check plays some dozens of them.
 */
export const DEFAULT_LIMITS: Limits = {
  steps: 6_900_000,
  frames: 10_000,
  depth: 512,
  frameMemoryBytes: 8 * 1024 * 1024,
  returnDataBytes: 256 * 1024,
  logs: 5_000,
  logBytes: 1024 * 1024,
  // Some 300 signatures or 8 pairings.
  precompileMicros: 300_000,
  misses: 1_000,
  wallClockMs: 2_500,
}

/** What is left of the limits. */
export interface Budget {
  readonly limits: Limits
  /** Steps the interpreter may take before it asks again. It counts this down itself. */
  fuel: number
  /** Called when the fuel is gone: looks at the clock and hands out more. */
  refuel(): void
  /** Takes steps away for work that one opcode does and that grows with its operands. */
  spend(steps: number): void
  /** Pays for a precompile before it runs, and looks at the clock if it is a slow one. */
  payPrecompile(micros: number): void
  checkClock(): void
  enterFrame(depth: number): void
  checkMemory(bytes: number): void
  checkReturnData(bytes: number): void
  addLog(bytes: number): void
}

/** A precompile that takes longer than this looks at the clock. */
const SLOW_MICROS = 100
/**
 * Steps between two looks at the clock: below a millisecond of ordinary code, some 100 ms of the
 * slowest.
 */
const STEPS_PER_LOOK = 2_048

export function createBudget(limits: Limits, clock: Clock): Budget {
  const deadline = clock.monotonic() + limits.wallClockMs
  let { steps, frames, logs, logBytes, precompileMicros } = limits
  const checkClock = () => {
    if (clock.monotonic() > deadline) throw new AnalysisResistedError('wallClockMs')
  }
  const budget: Budget = {
    limits,
    fuel: 0,
    checkClock,
    refuel() {
      if (steps <= 0) throw new AnalysisResistedError('steps')
      checkClock()
      // Work that was charged at once may have taken more than a portion.
      const portion = Math.min(steps, Math.max(STEPS_PER_LOOK, -budget.fuel))
      steps -= portion
      budget.fuel += portion
    },
    spend(cost) {
      steps -= cost
      if (steps < 0) throw new AnalysisResistedError('steps')
    },
    payPrecompile(micros) {
      precompileMicros -= micros
      if (precompileMicros < 0) throw new AnalysisResistedError('precompileMicros')
      if (micros > SLOW_MICROS) checkClock()
    },
    enterFrame(depth) {
      frames -= 1
      if (frames < 0) throw new AnalysisResistedError('frames')
      if (depth > limits.depth) throw new AnalysisResistedError('depth')
      if (frames % FRAMES_PER_LOOK === 0) checkClock()
    },
    checkMemory(bytes) {
      if (bytes > limits.frameMemoryBytes) throw new AnalysisResistedError('frameMemoryBytes')
    },
    checkReturnData(bytes) {
      if (bytes > limits.returnDataBytes) throw new AnalysisResistedError('returnDataBytes')
    },
    addLog(bytes) {
      logs -= 1
      logBytes -= bytes
      if (logs < 0) throw new AnalysisResistedError('logs')
      if (logBytes < 0) throw new AnalysisResistedError('logBytes')
    },
  }
  return budget
}

const FRAMES_PER_LOOK = 64

const OUR_TIME = 'Our analysis did not finish in its time'

/** How each bound is called to the caller. */
const BOUND_WORDS: Record<Exclude<keyof Limits, 'wallClockMs'>, string> = {
  steps: 'steps',
  frames: 'call frames',
  depth: 'call depth',
  frameMemoryBytes: 'memory',
  returnDataBytes: 'return data',
  logs: 'logs',
  logBytes: 'log data',
  precompileMicros: 'precompiles',
  misses: 'state',
}

/** The analysis ended before the code under it did. Never a clean result. */
export class AnalysisResistedError extends BaseError {
  override readonly name = 'AnalysisResistedError'
  readonly bound: keyof Limits
  /** The time was over, which a busy machine does to any code: it says nothing about this one. */
  readonly isOurs: boolean

  constructor(bound: keyof Limits) {
    super(bound === 'wallClockMs' ? OUR_TIME : `Analysis resisted: ${BOUND_WORDS[bound]}`, { docs: 'engine.md' })
    this.bound = bound
    this.isOurs = bound === 'wallClockMs'
  }
}
