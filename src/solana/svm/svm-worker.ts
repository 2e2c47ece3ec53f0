import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadScenario } from '../../simulation/load-scenario.js'
import { type StartSignal, tellStarted } from '../../simulation/run-in-thread.js'
import type { SolanaAddress } from '../address.js'
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
 * run: for what is young, which results are, and for everything when a machine is thrown away. What
 * it lets go of is freed by finalizers in the next turn of the event loop, which `createThreads`
 * sees to.
 */
const collectGarbage: (options?: { type: 'minor' }) => void = runInNewContext('gc')

/**
 * What outlived two collections of what is young is let go of by one of everything alone. That one
 * also drops what was compiled of functions of which no instance is left, and the next runs pay for
 * compiling it again: five milliseconds of processor time a run when it came after every 12.
 */
const RUNS_PER_COLLECTION = 64
let runs = 0
/**
 * Transactions whose results may lie about: as many as a check of a token with a hook makes in one
 * run. One without makes a quarter of them, and a collection costs a fifth of it.
 */
const TRANSACTIONS_PER_COLLECTION = 120
let transactions = 0
let isMachineGone = false
let room: ReturnType<typeof createMachineRoom> | undefined

/** Runs in a worker thread, which is killed when it does not come back in time. */
export default async function run({ module, name, input, start, started }: SvmRun): Promise<SvmAnswer> {
  const scenario = await loadScenario<SvmScenario<unknown, unknown>>({ module, name })
  tellStarted({ started })
  try {
    return play(scenario, input, start)
  } catch (error) {
    if (error instanceof SvmResistedError) return { kind: 'resisted', bound: error.bound }
    if (error instanceof SvmUnavailableError) return { kind: 'unavailable' }
    throw error
  } finally {
    // What the run made is out of reach by now; a moment earlier it would be kept once more.
    collect()
  }
}

function play(scenario: SvmScenario<unknown, unknown>, input: unknown, start: ForkStart): SvmAnswer {
  room ??= createMachineRoom(loadLiteSvm())
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
    isMachineGone ||= !giveBack(fork.changed)
    transactions += fork.transactions
  }
}

function collect(): void {
  runs += 1
  if (isMachineGone || runs % RUNS_PER_COLLECTION === 0) collectGarbage()
  else if (transactions >= TRANSACTIONS_PER_COLLECTION) collectGarbage({ type: 'minor' })
  else return
  isMachineGone = false
  transactions = 0
}

const missing = (misses: ReadonlySet<SolanaAddress>): SvmAnswer => ({ kind: 'missing', misses: [...misses] })
