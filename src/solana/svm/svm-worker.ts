import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadScenario } from '../../simulation/load-scenario.js'
import { type StartSignal, tellStarted } from '../../simulation/run-in-thread.js'
import type { SolanaAddress } from '../address.js'
import { POOL_LAYOUTS, PUMP_CURVE } from '../pools/layouts.js'
import { PUMP_FEE_PROGRAM } from '../pools/swaps/pump.js'
import { ATA_PROGRAM, MEMO_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.js'
import { createFork, type ForkStart, type SvmBound, SvmResistedError } from './fork.js'
import { loadLiteSvm, SvmUnavailableError } from './load-litesvm.js'
import { createMachineRoom } from './svm-machine.js'
import type { SvmScenario } from './svm-scenario.js'

/** One run of a scenario over the accounts that are known so far. */
export interface SvmRun extends StartSignal {
  module: string
  name: string
  input: unknown
  start: ForkStart
}

export type SvmAnswer =
  | { kind: 'done'; output: unknown }
  /** The run needed accounts that are not known; whatever it computed is void. */
  | { kind: 'missing'; misses: SolanaAddress[] }
  | { kind: 'resisted'; bound: SvmBound }
  | { kind: 'unavailable' }

setFlagsFromString('--expose-gc')
/**
 * A machine holds 8 MB and a result up to a megabyte that the collector knows nothing of, so that
 * it sees no reason to run: a hundred abandoned machines take a gigabyte. It is called after each
 * run whose machine is thrown away, and takes half as long as the run. What it lets go of is freed
 * by finalizers in the next turn of the event loop, which `createThreads` sees to.
 */
const collectGarbage: () => void = runInNewContext('gc')

/**
 * Code that everybody uses, the known exchanges' among it: a machine with nothing else in it may
 * serve the next run.
 */
const SHARED_PROGRAMS = new Set<SolanaAddress>([
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ATA_PROGRAM,
  MEMO_PROGRAM,
  PUMP_CURVE.program,
  PUMP_FEE_PROGRAM,
  ...POOL_LAYOUTS.map(({ program }) => program),
])

/** Of machines that are kept: what is left over then are their results. */
const RUNS_PER_COLLECTION = 8
let runs = 0
let room: ReturnType<typeof createMachineRoom> | undefined

/** Runs in a worker thread, which is killed when it does not come back in time. */
export default async function run({ module, name, input, start, started }: SvmRun): Promise<SvmAnswer> {
  const scenario = await loadScenario<SvmScenario<unknown, unknown>>({ module, name })
  tellStarted({ started })
  try {
    room ??= createMachineRoom(loadLiteSvm(), SHARED_PROGRAMS)
    const { machine, giveBack } = room.take(start.accounts, start.inactiveFeatures)
    const fork = createFork(machine, start)
    try {
      const output = scenario.run(fork, input)
      return fork.misses.size > 0 ? missing(fork.misses) : { kind: 'done', output }
    } catch (error) {
      // On incomplete state a scenario may meet anything; only a complete run is to be believed, or
      // blamed.
      if (fork.misses.size > 0) return missing(fork.misses)
      throw error
    } finally {
      const isKept = giveBack(fork.changed)
      runs += 1
      if (!isKept || runs % RUNS_PER_COLLECTION === 0) collectGarbage()
    }
  } catch (error) {
    if (error instanceof SvmResistedError) return { kind: 'resisted', bound: error.bound }
    if (error instanceof SvmUnavailableError) return { kind: 'unavailable' }
    throw error
  }
}

const missing = (misses: ReadonlySet<SolanaAddress>): SvmAnswer => ({ kind: 'missing', misses: [...misses] })
