import type { Chain } from '../chains/chain.js'
import { hardforkAt } from '../chains/chain.js'
import { createWorkClock } from '../clock.js'
import { UnsupportedExecutionError } from '../evm/chain-extras.js'
import { createEngine } from '../evm/create-evm.js'
import { AnalysisResistedError, type Limits } from '../evm/limits.js'
import type { Hex } from '../hex.js'
import { createLru } from '../scheduling/lru.js'
import { createLogReader, type LogReader, type StateLog, sizeOfLog } from '../state/block-state.js'
import { readerOf } from '../state/known-state.js'
import type { StateMiss } from '../state/state-reader.js'
import type { PinnedBlock, StateSnapshot } from '../state/state-source.js'
import { loadScenario } from './load-scenario.js'
import { createNodeEvm } from './node-engine/node-evm.js'
import type { NodeAnswers, NodeQuestion } from './node-engine/question.js'
import { pendingBlock } from './pending-block.js'
import { noteReads, type ReadNotes } from './read-notes.js'
import { type StartSignal, tellStarted } from './run-in-thread.js'
import type { EngineName, Fork, Scenario } from './scenario.js'
import { recordReads, recordTransactions } from './second-opinion/record-run.js'
import type { RecordedRun } from './second-opinion/recorded-run.js'

/** One run of a scenario over the state that is known so far. */
export interface RunRequest extends StartSignal {
  module: string
  name: string
  input: unknown
  /** What values of blocks follow from that the run makes up. */
  secret?: Hex
  chain: Chain
  /** The same for each copy of this chain. */
  chainKey: string
  block: PinnedBlock
  state: StateLog
  limits?: Partial<Limits>
  /** Where the chain's node executes: what it has answered so far. */
  node?: { engine: EngineName; answers: NodeAnswers }
  /** Whether to tell what a node can be asked about the run. */
  isRecorded?: boolean
  /** Whether to tell what it read of the pinned block. */
  notesReads?: boolean
}

/** What came of a run, and how much of the thread's time it took. */
export type RunAnswer = RunOutcome & { tookMs: number }

type RunOutcome =
  | { kind: 'done'; output: unknown; recorded?: RecordedRun; notes?: ReadNotes }
  /** The run needed values that the snapshot lacks; whatever it computed is void. */
  | {
      kind: 'missing'
      misses: readonly StateMiss[]
      questions: readonly NodeQuestion[]
      /** What it read as far as it came. */
      reads?: readonly StateMiss[]
    }
  | { kind: 'resisted'; bound: keyof Limits }
  /** The run met something that only the chain's own node can execute. */
  | { kind: 'unsupported'; what: string }

/** What a token costs is not to depend on who else wants the processor. */
const clock = createWorkClock()

/** Of the logs that this thread has read: what they say takes some three times as much. */
const MAX_READ_BYTES = 8 * 1024 * 1024
const readers = createLru<number, { reader: LogReader; bytes: number }>({
  maxWeight: MAX_READ_BYTES,
  weigh: ({ bytes }) => bytes,
})

/** What is known of the block, of which most runs find nothing new. */
function stateOf(log: StateLog): StateSnapshot {
  const { reader } = readers.get(log.id) ?? { reader: createLogReader() }
  reader.readOn(log)
  readers.set(log.id, { reader, bytes: sizeOfLog(log) })
  return reader.values
}

const MAX_CHAINS = 16
const chains = createLru<string, Chain>({ maxWeight: MAX_CHAINS, weigh: () => 1 })

/** One object for each chain, so that what is made for a chain once is found again. */
const sameChain = ({ chain, chainKey }: RunRequest): Chain => chains.getOrMake(chainKey, () => chain)

/** Runs in a worker thread, which is killed when it does not come back in time. */
export default async function run(request: RunRequest): Promise<RunAnswer> {
  const scenario = await loadScenario<Scenario<unknown, unknown>>(request)
  tellStarted(request)
  const start = clock.monotonic()
  const { fork, missing, recorded, notes } = openFork(request)
  let outcome: RunOutcome
  try {
    const output = scenario.run(fork, request.input)
    outcome = missing() ?? {
      kind: 'done',
      output,
      ...(recorded && { recorded }),
      ...(request.notesReads && { notes: notes() }),
    }
  } catch (error) {
    // On incomplete state a scenario may meet anything; only a complete run is to be believed, or
    // blamed.
    outcome = missing() ?? whatEnded(error)
  }
  return { ...outcome, tookMs: clock.monotonic() - start }
}

/** What a run that threw has met. Throws what is neither the code's doing nor the chain's. */
function whatEnded(error: unknown): RunOutcome {
  if (error instanceof AnalysisResistedError) return { kind: 'resisted', bound: error.bound }
  if (error instanceof UnsupportedExecutionError) return { kind: 'unsupported', what: error.what }
  throw error
}

interface OpenFork {
  fork: Fork
  /** What the run lacked; `undefined` where it is complete. */
  missing(): RunOutcome | undefined
  /** Filled while it runs. */
  recorded: RecordedRun | undefined
  notes(): ReadNotes
}

function openFork(request: RunRequest): OpenFork {
  const { block, secret, limits, node, isRecorded = false, notesReads = false } = request
  const chain = sameChain(request)
  const snapshot = stateOf(request.state)
  const { state, reads } =
    isRecorded || notesReads ? recordReads(readerOf(snapshot)) : { state: readerOf(snapshot), reads: [] }
  const engine = createEngine({
    state,
    block: pendingBlock(chain, block),
    hardfork: hardforkAt(chain, block.timestamp),
    engine: chain.engine,
    clock,
    ...(secret && { secret }),
    ...(limits && { limits }),
  })
  const { evm } = engine
  const recorded = isRecorded && { transactions: recordTransactions(engine, chain, snapshot), reads }
  const remote = node && createNodeEvm(evm, chain, node.answers)
  return {
    fork: remote
      ? { evm: remote, chain, engine: node.engine }
      : { evm, chain, origin: block.hash, reads: notesReads ? reads : undefined },
    recorded: recorded || undefined,
    notes: () => noteReads(engine.world, reads, node !== undefined),
    missing() {
      const questions = remote?.questions ?? []
      const isIncomplete = evm.misses.length > 0 || questions.length > 0
      if (!isIncomplete) return undefined
      return { kind: 'missing', misses: [...evm.misses], questions, ...(notesReads && { reads }) }
    },
  }
}
