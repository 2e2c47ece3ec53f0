import type { Clock } from '../clock.js'
import { UnsupportedExecutionError } from '../evm/chain-extras.js'
import { AnalysisResistedError } from '../evm/limits.js'
import type { StateMiss } from '../state/state-reader.js'
import { type Simulator, StateUnsettledError } from './simulator.js'

/** State that was fetched at once, because a run needed it. */
export interface Round {
  /** How many values of each kind were missing. */
  accounts: number
  slots: number
  blockHashes: number
  /** The first of them, at most {@link MAX_SHOWN}. */
  first: readonly StateMiss[]
  /** How long the fetching took. */
  ms: number
}

/** What a scenario took until it ran on known state alone, or was given up. */
export interface RecordedSimulation {
  scenario: string
  /** Values that were fetched before the first run, in one round that is not among `rounds`. */
  seeds: number
  /** In order, the first {@link MAX_ROUNDS}. */
  rounds: readonly Round[]
  roundsLeftOut: number
  /** From when it was asked for, with the waiting for a thread. */
  ms: number
  ended: Ending
}

export type Ending =
  | { how: 'done' }
  /** A bound of the engine was met, by its name in `Limits`. */
  | { how: 'resisted'; bound: string }
  /** Each round asked for new state. */
  | { how: 'unsettled' }
  /** Only the chain's own node could execute it, and none did. */
  | { how: 'unsupported'; what: string }
  /** By its kind: messages may hold what a node said. */
  | { how: 'failed'; error: string }

/** Misses of a round that are kept. */
const MAX_SHOWN = 5
/** More than any simulator plays (16, where a node executes). */
const MAX_ROUNDS = 32

/** The same simulator, which tells of each simulation once it is over. */
export function recordRuns(
  simulator: Simulator,
  clock: Pick<Clock, 'monotonic'>,
  onSimulation: (simulation: RecordedSimulation) => void,
): Simulator {
  return {
    ...simulator,
    async simulate(request) {
      const start = clock.monotonic()
      const rounds: Round[] = []
      let asked = 0
      const { scenario, seeds = [] } = request
      const load: typeof request.state.load = async (misses) => {
        const began = clock.monotonic()
        try {
          await request.state.load(misses)
        } finally {
          const isRound = misses !== seeds && misses.length > 0
          if (isRound) asked += 1
          if (isRound && rounds.length < MAX_ROUNDS) rounds.push({ ...describe(misses), ms: clock.monotonic() - began })
        }
      }
      const tell = (ended: Ending) =>
        onSimulation({
          ...{ scenario: scenario.name, seeds: seeds.length, rounds, ended },
          ...{ roundsLeftOut: asked - rounds.length, ms: clock.monotonic() - start },
        })
      try {
        const output = await simulator.simulate({ ...request, state: { ...request.state, load } })
        tell({ how: 'done' })
        return output
      } catch (error) {
        tell(endingOf(error))
        throw error
      }
    },
  }
}

function describe(misses: readonly StateMiss[]): Omit<Round, 'ms'> {
  const count = (kind: StateMiss['kind']) => misses.filter((miss) => miss.kind === kind).length
  return {
    ...{ accounts: count('account'), slots: count('storage'), blockHashes: count('blockHash') },
    first: misses.slice(0, MAX_SHOWN),
  }
}

function endingOf(error: unknown): Ending {
  if (error instanceof AnalysisResistedError) return { how: 'resisted', bound: error.bound }
  if (error instanceof StateUnsettledError) return { how: 'unsettled' }
  if (error instanceof UnsupportedExecutionError) return { how: 'unsupported', what: error.message }
  return { how: 'failed', error: error instanceof Error ? error.name : 'unknown' }
}
