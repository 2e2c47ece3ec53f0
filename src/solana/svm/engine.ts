import { ThreadTimeoutError } from '../../simulation/run-in-thread.js'
import { createThreads, lend, type Threads, workerBeside } from '../../simulation/threads.js'
import { untilKnown } from '../../simulation/until-known.js'
import type { SolanaAddress } from '../address.js'
import { type ForkStart, SvmResistedError } from './fork.js'
import { SvmUnavailableError } from './load-litesvm.js'
import type { SvmScenario } from './svm-scenario.js'
import type { SvmAnswer, SvmRun } from './svm-worker.js'

/** Where the accounts of a run come from. */
export interface SvmState {
  /** What is known by now. */
  start(): ForkStart
  /** Makes these accounts known. Rejects when no node answers. */
  load(addresses: readonly SolanaAddress[]): Promise<void>
}

/** Plays scenarios on forks in worker threads, fetching the accounts they turn out to need. */
export interface SvmEngine {
  /**
   * Repeats the scenario until it runs on known accounts alone. Rejects with `SvmResistedError`
   * when the code under test exhausts a bound, `SvmUnavailableError` where nothing can be executed,
   * and whatever `state.load` rejects with.
   */
  play<Input, Output>(scenario: SvmScenario<Input, Output>, input: Input, options: PlayOptions): Promise<Output>
  /** Runs that wait for a thread. */
  queued(): number
  close(): Promise<void>
}

interface PlayOptions {
  state: SvmState
  signal?: AbortSignal | undefined
  /** Whose analysis it is. */
  caller?: string | undefined
}

/** Threads that each play a run on a fork at a time. */
export type SvmThreads = Threads<SvmRun, SvmAnswer>

export interface SvmThreadsOptions {
  threads?: number
  /** Runs after which a set of threads is replaced by a new one. */
  runsPerThread?: number
  onStrayError?(error: unknown): void
}

export function startSvmThreads({
  threads = DEFAULT_THREADS,
  runsPerThread = RUNS_PER_THREAD,
  onStrayError = () => {},
}: SvmThreadsOptions = {}): SvmThreads {
  return createThreads<SvmRun, SvmAnswer>({
    worker: workerBeside(import.meta.url, 'svm-worker'),
    threads,
    // None until the first Solana request: most services never see one.
    kept: 0,
    maxHeapMb: MAX_HEAP_MB,
    runsPerThread,
    onStrayError,
  })
}

export interface SvmEngineOptions extends Omit<SvmThreadsOptions, 'threads'> {
  /** How many it starts, or others' that run already and outlive it. */
  threads?: number | SvmThreads | undefined
  /** A run that takes longer loses its thread; waiting for one does not count. */
  runTimeoutMs?: number
}

export function createSvmEngine({
  threads,
  runTimeoutMs = RUN_TIMEOUT_MS,
  ...options
}: SvmEngineOptions = {}): SvmEngine {
  const pool =
    typeof threads === 'object' ? lend(threads) : startSvmThreads({ ...(threads && { threads }), ...options })
  return {
    play: <Input, Output>(
      { module, name }: SvmScenario<Input, Output>,
      input: Input,
      { state, ...turn }: PlayOptions,
    ): Promise<Output> =>
      untilKnown({
        rounds: MAX_ROUNDS,
        async run() {
          const answer = await pool
            .run({ module, name, input, start: state.start() }, { ...turn, timeoutMs: runTimeoutMs })
            .catch(toResisted)
          if (answer.kind === 'resisted') throw new SvmResistedError(answer.bound)
          if (answer.kind === 'unavailable') throw new SvmUnavailableError()
          return answer.kind === 'done' ? { ...answer, output: answer.output as Output } : answer
        },
        async load({ misses }) {
          if (misses.length > MAX_MISSES) throw new SvmResistedError('accounts')
          await state.load(misses)
        },
        unsettled: () => new SvmResistedError('accounts'),
      }),
    queued: pool.queued,
    close: pool.close,
  }
}

function toResisted(error: unknown): SvmAnswer {
  if (error instanceof ThreadTimeoutError) return { kind: 'resisted', bound: 'wallClockMs' }
  throw error
}

/**
 * One keeps up with all nodes that are asked; the second serves while a hostile program holds the
 * first.
 */
const DEFAULT_THREADS = 2
/**
 * Each round is one request to the node. A hook may list 32 accounts of which each stands in the
 * data of the one before; a bound below that would be a way to be called inconclusive.
 */
const MAX_ROUNDS = 36
/**
 * A transaction names 64 accounts at most, and all transactions of a scenario name nearly the same.
 */
const MAX_MISSES = 200
/** Above the bound on compute units: only a thread that hangs inside the machine is killed. */
const RUN_TIMEOUT_MS = 8_000
/**
 * The machine's memory is invisible to the collector, and comes back for certain only with its
 * thread. With the collector called after every few runs, a thread's memory stays the same, and
 * each new thread costs some ten megabytes that do not come back: replaced seldom, for what was not
 * foreseen.
 */
const RUNS_PER_THREAD = 2_500
const MAX_HEAP_MB = 256
