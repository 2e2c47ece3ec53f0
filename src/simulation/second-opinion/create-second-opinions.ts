import type { Chain } from '../../chains/chain.js'
import type { Clock } from '../../clock.js'
import { isInability } from '../../rpc/capabilities.js'
import type { RpcClient } from '../../rpc/rpc-client.js'
import { pick } from '../../state/known-state.js'
import type { StateSource } from '../../state/state-source.js'
import { askNode } from './ask-node.js'
import { compareResults } from './compare-results.js'
import type { Disagreement } from './disagreement.js'
import type { RecordedRun } from './recorded-run.js'

/** A simulation that is over, as it was recorded. */
export interface RecordedSimulation extends RecordedRun {
  chain: Chain
  scenario: string
  state: Pick<StateSource, 'block' | 'suspect' | 'snapshot'>
}

/** Asks nodes what they make of some of our simulations. Nothing waits for it. */
export interface SecondOpinions {
  /** Whether the simulation that begins now is to be recorded. */
  wants(chain: Chain): boolean
  /** Asks in the background; a chain that is being asked about already is left alone. */
  ask(simulation: RecordedSimulation): void
  /** Settles when nothing is asked any more. Never rejects. */
  idle(): Promise<void>
}

/** What came of one: no node could or would say. */
export type SecondOpinion = 'agrees' | 'differs' | 'unanswered'

export interface SecondOpinionsOptions {
  /** One in how many simulations is asked again; 0 for none. */
  oneIn: number
  /**
   * Nodes of a chain by a client of its own: what goes wrong here is not to be held against those
   * that analyses need.
   */
  clientOf(chain: Chain): RpcClient
  clock: Clock
  /** From 0 up to 1. */
  draw?: () => number
  onOpinion(chain: Chain, opinion: SecondOpinion): void
  /** Must not throw. */
  keep(disagreement: Disagreement): Promise<void>
}

/**
 * Nodes that cannot say are not asked again before. Those that fail at it are: it may have been the
 * contract, which must not silence what is asked about others.
 */
const REST_MS = 3_600_000

export function createSecondOpinions(options: SecondOpinionsOptions): SecondOpinions {
  const { oneIn, clock, draw = Math.random, onOpinion } = options
  /** One at a time of each chain: so is what is held in memory for it. */
  const underWay = new Map<number, Promise<void>>()
  const restUntil = new Map<number, number>()
  const isFree = ({ id }: Chain) => !underWay.has(id) && (restUntil.get(id) ?? 0) <= clock.monotonic()
  return {
    wants: (chain) => oneIn > 0 && isFree(chain) && draw() * oneIn < 1,
    ask(simulation) {
      const { chain } = simulation
      if (simulation.transactions.length === 0 || !isFree(chain)) return
      const work = compare(simulation, options)
        .catch((error: unknown): SecondOpinion => {
          if (isInability(error)) restUntil.set(chain.id, clock.monotonic() + REST_MS)
          return 'unanswered'
        })
        .then((opinion) => {
          underWay.delete(chain.id)
          onOpinion(chain, opinion)
        })
      underWay.set(chain.id, work)
    },
    async idle() {
      await Promise.all(underWay.values())
    },
  }
}

async function compare(
  { chain, scenario, state, transactions, reads }: RecordedSimulation,
  { clientOf, keep }: SecondOpinionsOptions,
): Promise<SecondOpinion> {
  const { block, suspect } = state
  const said = await askNode(clientOf(chain), { chain, block, suspect, questions: transactions })
  let opinion: SecondOpinion = 'unanswered'
  for (const [i, recorded] of transactions.entries()) {
    const theirs = said[i]
    if (theirs === undefined) continue
    const differences = compareResults(chain, recorded.result, theirs.result)
    if (differences.length === 0) {
      opinion = 'agrees'
      continue
    }
    const read = pick(state.snapshot(), reads)
    await keep({ ...recorded, chainId: chain.id, block, suspect, scenario, differences, theirs, state: read })
    // What follows it may differ for the same reason.
    return 'differs'
  }
  return opinion
}
