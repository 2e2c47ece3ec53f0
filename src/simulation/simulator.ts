import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { Chain } from '../chains/chain.js'
import { BaseError } from '../errors.js'
import { UnsupportedExecutionError } from '../evm/chain-extras.js'
import { AnalysisResistedError } from '../evm/limits.js'
import type { StateMiss } from '../state/state-reader.js'
import type { StateSource } from '../state/state-source.js'
import type { Scenario } from './scenario.js'
import type { RunAnswer, RunRequest } from './worker.js'

export interface SimulationRequest<Input, Output> {
  scenario: Scenario<Input, Output>
  input: Input
  chain: Chain
  state: StateSource
  /** State that the first run is likely to need; fetched before it. */
  seeds?: readonly StateMiss[]
  signal?: AbortSignal
}

/** Plays scenarios in worker threads, fetching the state they turn out to need. */
export interface Simulator {
  /**
   * Repeats the scenario until it runs on known state alone. Rejects with `AnalysisResistedError` when the code under test exhausts a
   * bound, `UnsupportedExecutionError` when only the chain's own node can execute it, `StateUnsettledError` when it keeps asking for more state, and whatever `StateSource.load` rejects with.
   */
  simulate<Input, Output>(request: SimulationRequest<Input, Output>): Promise<Output>
  close(): Promise<void>
}

export interface SimulatorOptions {
  threads?: number
  /** A run that takes longer loses its thread. */
  runTimeoutMs?: number
  /** Told of what goes wrong in a thread outside any run, such as an answer that comes after its run was given up. */
  onStrayError?(error: unknown): void
}

export function createSimulator({
  threads = availableParallelism(),
  runTimeoutMs = RUN_TIMEOUT_MS,
  onStrayError = () => {},
}: SimulatorOptions = {}): Simulator {
  const pool = new Piscina<RunRequest, RunAnswer>({
    filename: WORKER.href,
    minThreads: threads,
    maxThreads: threads,
    maxQueue: MAX_QUEUE,
    resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_HEAP_MB },
  })
  // Without a listener this event would end the process.
  pool.on('error', onStrayError)

  return {
    async simulate<Input, Output>({
      scenario,
      input,
      chain,
      state,
      seeds = [],
      signal,
    }: SimulationRequest<Input, Output>) {
      const { module, name } = scenario
      if (seeds.length > 0) await state.load(seeds)
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const run = { module, name, input, chain, block: state.block, snapshot: state.snapshot() }
        const answer = await runOnce(pool, run, AbortSignal.timeout(runTimeoutMs), signal)
        if (answer.kind === 'done') return answer.output as Output
        if (answer.kind === 'resisted') throw new AnalysisResistedError(answer.bound)
        if (answer.kind === 'unsupported') throw new UnsupportedExecutionError(answer.what)
        await state.load(answer.misses)
      }
      throw new StateUnsettledError()
    },
    close: () => pool.destroy(),
  }
}

/** Each round is one request to the node; a trade needs two to five when nothing is known. */
const MAX_ROUNDS = 8
/** Runs waiting for a thread; requests are limited before they come here. */
const MAX_QUEUE = 256
const MAX_WORKER_HEAP_MB = 512
/** Above the engine's own wall-clock bound: only a thread that no longer looks at its clock is killed. */
const RUN_TIMEOUT_MS = 8_000

const isSource = import.meta.url.endsWith('.ts')
const WORKER = new URL(isSource ? './worker-from-source.mjs' : './worker.js', import.meta.url)

async function runOnce(
  pool: Piscina<RunRequest, RunAnswer>,
  run: RunRequest,
  timeout: AbortSignal,
  signal: AbortSignal | undefined,
): Promise<RunAnswer> {
  try {
    return await pool.run(run, { signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
  } catch (error) {
    if (timeout.aborted) return { kind: 'resisted', bound: 'wallClockMs' }
    throw error
  }
}

/** The code under test asked for new state in every round. Never a clean result, and not proof of harm either. */
export class StateUnsettledError extends BaseError {
  override readonly name = 'StateUnsettledError'
  constructor() {
    super(`Analysis resisted: new state asked for in each of ${MAX_ROUNDS} rounds`)
  }
}
