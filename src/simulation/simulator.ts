import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Chain } from '../chains/chain.js'
import { BaseError } from '../errors.js'
import { UnsupportedExecutionError } from '../evm/chain-extras.js'
import { AnalysisResistedError, DEFAULT_LIMITS, type Limits } from '../evm/limits.js'
import type { Hex } from '../hex.js'
import { isInability } from '../rpc/capabilities.js'
import type { StateMiss } from '../state/state-reader.js'
import { StateFloodError, type StateSource } from '../state/state-source.js'
import type { NodeEngine } from './node-engine/create-node-engines.js'
import type { NodeAnswer } from './node-engine/question.js'
import type { ReadNotes } from './read-notes.js'
import { ThreadTimeoutError } from './run-in-thread.js'
import type { Scenario } from './scenario.js'
import type { SecondOpinions } from './second-opinion/create-second-opinions.js'
import { createThreads, lend, type Threads, workerBeside } from './threads.js'
import { type UntilKnownOptions, untilKnown } from './until-known.js'
import type { RunAnswer, RunRequest } from './worker.js'

export interface SimulationRequest<Input, Output> {
  scenario: Scenario<Input, Output>
  input: Input
  /**
   * Unguessable for authors of contracts; values of blocks that the run makes up follow from it.
   */
  secret?: Hex
  chain: Chain
  state: StateSource
  /** State that the first run is likely to need; fetched before it. */
  seeds?: readonly StateMiss[]
  /** Told what of the pinned block decided the run, once it is over. */
  onReads?: (notes: ReadNotes) => void
  signal?: AbortSignal
}

/** Plays scenarios in worker threads, fetching the state they turn out to need. */
export interface Simulator {
  /**
   * Repeats the scenario until it runs on known state alone. Rejects with `AnalysisResistedError`
   * when the code under test exhausts a bound, `UnsupportedExecutionError` when only the chain's
   * own node can execute it, `StateUnsettledError` when it keeps asking for more state, and
   * whatever `StateSource.load` rejects with.
   */
  simulate<Input, Output>(request: SimulationRequest<Input, Output>): Promise<Output>
  /** Runs that wait for a thread. */
  queued(): number
  close(): Promise<void>
}

/** Threads that each play a run at a time. */
export type RunThreads = Threads<RunRequest, RunAnswer>

export interface RunThreadsOptions {
  threads?: number | undefined
  /** How many begin together, and stay; all without. */
  kept?: number | undefined
  /**
   * Told of what goes wrong in a thread outside any run, such as an answer that comes after its run
   * was given up.
   */
  onStrayError?: ((error: unknown) => void) | undefined
}

export function startRunThreads({
  threads = availableParallelism(),
  kept = threads,
  onStrayError,
}: RunThreadsOptions = {}): RunThreads {
  return createThreads<RunRequest, RunAnswer>({
    worker: WORKER,
    threads,
    kept,
    maxHeapMb: MAX_WORKER_HEAP_MB,
    onStrayError,
  })
}

export interface SimulatorOptions extends Pick<RunThreadsOptions, 'kept' | 'onStrayError'> {
  /** How many it starts, or others' that run already and outlive it. */
  threads?: number | RunThreads | undefined
  /** A run that takes longer loses its thread. */
  runTimeoutMs?: number
  /** Bounds other than the engine's own, for all rounds of a job together. */
  limits?: Partial<Limits>
  /** How the nodes of a chain can be made to execute what this process cannot, the best first. */
  nodeEngines?: (chain: Chain) => readonly NodeEngine[]
  /** Told of some simulations once they are over. */
  secondOpinions?: SecondOpinions | undefined
}

export function createSimulator({
  threads,
  kept,
  runTimeoutMs = RUN_TIMEOUT_MS,
  limits,
  nodeEngines = () => [],
  secondOpinions,
  onStrayError,
}: SimulatorOptions = {}): Simulator {
  const pool = typeof threads === 'object' ? lend(threads) : startRunThreads({ threads, kept, onStrayError })

  /** How the rounds of a scenario go, here or where a node executes. */
  function roundsOf<Input, Output>(
    { scenario, input, secret, chain, state, onReads, signal }: SimulationRequest<Input, Output>,
    node?: NodeEngine,
  ): UntilKnownOptions<Output, MissingRound> {
    const { module, name, maxRounds = MAX_ROUNDS } = scenario
    const answers = new Map<string, NodeAnswer>()
    let valuesLeft = MAX_VALUES
    const runMs = limits?.wallClockMs ?? DEFAULT_LIMITS.wallClockMs
    let timeLeftMs = runMs * ROUNDS_AT_LENGTH
    const isRecorded = node === undefined && secondOpinions?.wants(chain) === true
    return {
      rounds: node ? MAX_ROUNDS_ON_NODE : maxRounds,
      async run() {
        const run = {
          module,
          name,
          input,
          ...(secret && { secret }),
          chain,
          chainKey: keyOf(chain),
          block: state.block,
          state: state.log(),
          limits: { ...limits, wallClockMs: Math.min(runMs, timeLeftMs) },
          ...(node && { node: { engine: node.name, answers } }),
          ...(isRecorded && { isRecorded }),
          ...((onReads || state.noteUse) && { notesReads: true }),
        }
        const turn = { caller: state.caller, isShort: scenario.isShort, timeoutMs: runTimeoutMs, signal }
        const answer = await pool.run(run, turn).catch(toResisted)
        timeLeftMs = Math.max(0, timeLeftMs - answer.tookMs)
        if (answer.kind === 'resisted') throw new AnalysisResistedError(answer.bound)
        if (answer.kind === 'unsupported') throw new UnsupportedExecutionError(answer.what)
        // Of a job that never settles, that much is known the next time.
        const used = answer.kind === 'done' ? answer.notes?.reads : answer.reads
        if (used) state.noteUse?.(used)
        if (answer.kind !== 'done') return answer
        if (answer.recorded) secondOpinions?.ask({ ...answer.recorded, chain, scenario: name, state })
        if (answer.notes) onReads?.(answer.notes)
        return { ...answer, output: answer.output as Output }
      },
      async load({ misses, questions }) {
        valuesLeft -= misses.length
        if (valuesLeft < 0) throw new AnalysisResistedError('misses')
        const [found = []] = await Promise.all([
          questions.length > 0 ? node?.answer(state.block, questions, { suspect: state.suspect, signal }) : undefined,
          loadInBounds(state, misses),
        ])
        for (const [key, said] of found) answers.set(key, said)
      },
      unsettled: () => new StateUnsettledError(maxRounds),
    }
  }

  return {
    async simulate(request) {
      const { scenario, chain, state, seeds = [] } = request
      if (seeds.length > 0) await loadInBounds(state, seeds)
      try {
        return await untilKnown(roundsOf(request))
      } catch (error) {
        if (!(error instanceof UnsupportedExecutionError) || scenario.runsOnNode !== true) throw error
        return playOnNode(nodeEngines(chain), (engine) => untilKnown(roundsOf(request, engine)), error)
      }
    },
    queued: pool.queued,
    close: pool.close,
  }
}

/** Threads know a chain again by its key: what is posted is a copy each time. */
function keyOf(chain: Chain): string {
  const key = chainKeys.get(chain) ?? randomUUID()
  chainKeys.set(chain, key)
  return key
}

const chainKeys = new WeakMap<Chain, string>()

type MissingRound = Extract<RunAnswer, { kind: 'missing' }>

/** The first engine that can; when none can, it stays with what could not be executed here. */
async function playOnNode<Output>(
  engines: readonly NodeEngine[],
  play: (engine: NodeEngine) => Promise<Output>,
  unsupported: UnsupportedExecutionError,
): Promise<Output> {
  for (const engine of engines) {
    try {
      return await play(engine)
    } catch (error) {
      if (!isInability(error)) throw error
    }
  }
  throw unsupported
}

/** Each round is one request to the node; a trade needs two to five when nothing is known. */
const MAX_ROUNDS = 8
/** Where a node executes, each leg of a trade waits for the one before it. */
const MAX_ROUNDS_ON_NODE = 16
/**
 * A job's rounds together may take as long as this many of the longest: the first, in a thread that
 * just woke up, and the last.
 */
const ROUNDS_AT_LENGTH = 3
/** Values fetched for one job. A trade reads some hundred. */
const MAX_VALUES = 3_000
const MAX_WORKER_HEAP_MB = 512
/**
 * Above the engine's own bound of time: only a thread that no longer looks at its clock is killed.
 */
const RUN_TIMEOUT_MS = 8_000

const WORKER = workerBeside(import.meta.url, 'worker')

/** What the code under test asks for beyond all reason is its doing, and nothing else's. */
async function loadInBounds(state: StateSource, misses: readonly StateMiss[]): Promise<void> {
  try {
    await state.load(misses)
  } catch (error) {
    throw error instanceof StateFloodError ? new AnalysisResistedError('misses') : error
  }
}

function toResisted(error: unknown): RunAnswer {
  if (error instanceof ThreadTimeoutError) return { kind: 'resisted', bound: 'wallClockMs', tookMs: 0 }
  throw error
}

/**
 * The code under test asked for new state in every round. Never a clean result, and not proof of
 * harm either.
 */
export class StateUnsettledError extends BaseError {
  override readonly name = 'StateUnsettledError'
  constructor(rounds: number) {
    super(`Analysis resisted: new state asked for in each of ${rounds} rounds`)
  }
}
