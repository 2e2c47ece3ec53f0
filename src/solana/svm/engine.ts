import { Piscina } from 'piscina'
import { BaseError } from '../../errors.js'
import { createConcurrencyLimit } from '../../scheduling/concurrency-limit.js'
import { runInThread, ThreadTimeoutError } from '../../simulation/run-in-thread.js'
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

export interface SvmEngineOptions {
  threads?: number
  /** A run that takes longer loses its thread; waiting for one does not count. */
  runTimeoutMs?: number
  /** Runs after which a set of threads is replaced by a new one. */
  runsPerThread?: number
  onStrayError?(error: unknown): void
}

type Pool = Piscina<SvmRun, SvmAnswer>

export function createSvmEngine({
  threads = DEFAULT_THREADS,
  runTimeoutMs = RUN_TIMEOUT_MS,
  runsPerThread = RUNS_PER_THREAD,
  onStrayError = () => {},
}: SvmEngineOptions = {}): SvmEngine {
  let pool: Pool | undefined
  let runs = 0
  let isClosed = false
  const slots = createConcurrencyLimit({ concurrency: threads, maxWaiting: MAX_QUEUE })
  const retired = new Set<Promise<void>>()

  /**
   * The machine's memory is invisible to the collector, and comes back for certain only with its
   * thread.
   */
  const currentPool = (): Pool => {
    if (isClosed) throw new SvmClosedError()
    if (pool !== undefined && runs >= runsPerThread * threads) {
      const done = pool.close().finally(() => retired.delete(done))
      retired.add(done)
      pool = undefined
    }
    if (pool === undefined) {
      pool = startPool(threads, onStrayError)
      runs = 0
    }
    runs += 1
    return pool
  }

  const runOnce = async (
    run: Omit<SvmRun, 'started'>,
    { signal, caller = '' }: Pick<PlayOptions, 'signal' | 'caller'>,
  ): Promise<SvmAnswer> => {
    try {
      return await slots.run({ caller, signal }, () =>
        runInThread(currentPool(), run, { timeoutMs: runTimeoutMs, signal }),
      )
    } catch (error) {
      if (error instanceof ThreadTimeoutError) return { kind: 'resisted', bound: 'wallClockMs' }
      throw error
    }
  }

  return {
    async play<Input, Output>(
      { module, name }: SvmScenario<Input, Output>,
      input: Input,
      { state, signal, caller }: PlayOptions,
    ) {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const answer = await runOnce({ module, name, input, start: state.start() }, { caller, signal })
        if (answer.kind === 'done') return answer.output as Output
        if (answer.kind === 'resisted') throw new SvmResistedError(answer.bound)
        if (answer.kind === 'unavailable') throw new SvmUnavailableError()
        if (answer.misses.length > MAX_MISSES) break
        await state.load(answer.misses)
      }
      throw new SvmResistedError('accounts')
    },
    queued: () => slots.waiting,
    async close() {
      isClosed = true
      await Promise.all([pool?.destroy(), ...retired])
    },
  }
}

/**
 * One keeps up with all nodes that are asked; the second serves while a hostile program holds the
 * first.
 */
const DEFAULT_THREADS = 2
/** Each round is one request to the node; a hook whose accounts depend on each other needs four. */
const MAX_ROUNDS = 6
/**
 * A transaction names 64 accounts at most, and all transactions of a scenario name nearly the same.
 */
const MAX_MISSES = 200
/** Above the bound on compute units: only a thread that hangs inside the machine is killed. */
const RUN_TIMEOUT_MS = 8_000
/**
 * With the collector called after every few runs, a thread's memory stays the same, and each new
 * thread costs some ten megabytes that do not come back: replaced seldom, for what was not
 * foreseen.
 */
const RUNS_PER_THREAD = 2_500
/** Runs waiting for a thread: more than analyses run at the same time. */
const MAX_QUEUE = 1_024
const MAX_HEAP_MB = 256

const isSource = import.meta.url.endsWith('.ts')
const WORKER = new URL(isSource ? './svm-worker-from-source.mjs' : './svm-worker.js', import.meta.url)

function startPool(threads: number, onStrayError: (error: unknown) => void): Pool {
  const pool = new Piscina<SvmRun, SvmAnswer>({
    filename: WORKER.href,
    // None until the first Solana request: most services never see one.
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  // Without a listener this event would end the process.
  pool.on('error', onStrayError)
  return pool
}

/** A thread takes 300 ms to start. */
const IDLE_TIMEOUT_MS = 60_000

class SvmClosedError extends BaseError {
  override readonly name = 'SvmClosedError'
  constructor() {
    super('The Solana engine is closed')
  }
}
