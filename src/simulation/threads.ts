import { Piscina } from 'piscina'
import { BaseError } from '../errors.js'
import { createConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import { createRecentTime } from '../scheduling/recent-time.js'
import { runInThread, type StartSignal } from './run-in-thread.js'

/** Worker threads that run one module, each kept from holding up the process. */
export interface Threads<Request extends StartSignal, Answer> {
  /** Starts those that are kept, where none runs yet: work is about to come. */
  begin(): void
  /**
   * Has a thread answer when the caller's turn comes. Rejects as {@link runInThread} does when it
   * was killed, and as a `ConcurrencyLimit` does.
   */
  run(request: Omit<Request, 'started'>, turn: Turn): Promise<Answer>
  /** Runs that wait for a thread. */
  queued(): number
  close(): Promise<void>
}

interface Turn {
  /** Of processor time. A run that takes longer loses its thread. */
  timeoutMs: number
  /** Whose analysis it is: callers take turns. */
  caller?: string | undefined
  /** It is known to take little, and waits for no more than one like it. */
  isShort?: boolean | undefined
  signal?: AbortSignal | undefined
}

export interface ThreadsOptions {
  /** What the threads run; see {@link workerBeside}. */
  worker: URL
  /** Runs at the same time; one more for a short run, or a caller whose runs took less lately. */
  threads: number
  /** Threads that stay once they run; the others end after ten minutes with nothing to do. */
  kept: number
  maxHeapMb: number
  /** Runs of each thread after which all are replaced by new ones; without it they stay. */
  runsPerThread?: number
  /**
   * Told of what goes wrong in a thread outside any run, such as an answer that comes after its run
   * was given up.
   */
  onStrayError?: ((error: unknown) => void) | undefined
}

/**
 * Runs waiting for a thread. An analysis has three under way at most, and 256 of them run at the
 * same time.
 */
const MAX_QUEUE = 1_024
/**
 * Beside those that callers hold whose code takes long: the machine shares its processors between
 * them, and a caller whose code takes little is not kept for seconds.
 */
const SPARE_THREADS = 1
/** A thread takes 300 ms to start, and some seconds until it is as fast as it gets. */
const IDLE_MS = 600_000
/**
 * The pool requires its module first. Where Node.js can require an ES module, a thread that is
 * killed while it links one ends the process (20.20: `IsGraphAsync must be used on an instantiated
 * module`); imported, it does not. A thread that is given arguments inherits none of the process's,
 * of which those of V8 hold for all threads anyway.
 */
const THREAD_ARGUMENTS = ['--no-experimental-require-module']

export function createThreads<Request extends StartSignal, Answer>({
  worker,
  threads,
  kept,
  maxHeapMb,
  runsPerThread = Number.POSITIVE_INFINITY,
  onStrayError = () => {},
}: ThreadsOptions): Threads<Request, Answer> {
  const start = () => {
    const pool = new Piscina<Request, Answer>({
      filename: worker.href,
      minThreads: kept,
      maxThreads: threads + SPARE_THREADS,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
      execArgv: THREAD_ARGUMENTS,
      // Otherwise a thread sleeps on a lock between two runs, and its event loop never turns:
      // native memory that the collector has let go of waits there for its finalizers.
      atomics: 'disabled',
    })
    // Without a listener this event would end the process.
    pool.on('error', onStrayError)
    return pool
  }
  // The pool's own queue knows no callers, and has no bound for runs that can be called off.
  const limit = createConcurrencyLimit({
    concurrency: threads,
    maxConcurrency: threads + SPARE_THREADS,
    shortPlaces: SPARE_THREADS,
    maxWaiting: MAX_QUEUE,
    recentTime: createRecentTime({ concurrency: threads }),
  })
  const retired = new Set<Promise<void>>()
  let pool: ReturnType<typeof start> | undefined
  let runs = 0
  let isClosed = false

  const currentPool = () => {
    if (isClosed) throw new ThreadsClosedError()
    if (pool !== undefined && runs >= runsPerThread * threads) {
      const done = pool.close().finally(() => retired.delete(done))
      retired.add(done)
      pool = undefined
      runs = 0
    }
    runs += 1
    pool ??= start()
    return pool
  }

  return {
    begin() {
      if (kept > 0 && !isClosed) pool ??= start()
    },
    async run(request, { caller = '', isShort, timeoutMs, signal }) {
      const giveBack = await limit.take({ caller, isShort, signal })
      try {
        return await runInThread(currentPool(), request, { timeoutMs, signal })
      } finally {
        giveBack()
      }
    },
    queued: () => limit.waiting,
    async close() {
      isClosed = true
      await Promise.all([pool?.destroy(), ...retired])
    },
  }
}

/** The same threads for a user that has not started them, and leaves them running. */
export function lend<Request extends StartSignal, Answer>(threads: Threads<Request, Answer>): Threads<Request, Answer> {
  return { ...threads, close: async () => {} }
}

/** The worker `name` beside the module of this URL, compiled or from source. */
export function workerBeside(moduleUrl: string, name: string): URL {
  return new URL(moduleUrl.endsWith('.ts') ? `./${name}-from-source.mjs` : `./${name}.js`, moduleUrl)
}

class ThreadsClosedError extends BaseError {
  override readonly name = 'ThreadsClosedError'
  constructor() {
    super('The threads are closed')
  }
}
