import type { Clock } from '../clock.js'
import type { Simulator } from '../simulation/simulator.js'
import type { StateSource } from '../state/state-source.js'
import type { BytecodeJudge } from './bytecode/bytecode-judge.js'
import { checkHistory, type ReadTransfers } from './history/check-history.js'
import { isBlockGone, type OpenState, tradePlan } from './open-state.js'
import { settle } from './settle.js'
import { checkSimulate } from './simulate/check-simulate.js'
import type { SimulationChecks } from './simulation-checks.js'
import type { AnalysisTarget } from './target.js'

/** What the checks need of the world. */
export interface CheckDependencies {
  openState: OpenState
  readTransfers: ReadTransfers
  simulator: Simulator
  bytecodeJudge: BytecodeJudge
  clock: Clock
  traderSecret: Uint8Array
  /** Told of each failed check, with everything that the client may not see. */
  onCheckFailure(check: CheckName, error: unknown): void
}

/** The three checks of one target at one block, side by side; each fails alone. Rejects only when the block cannot be had. */
export function createExecuteSimulation(
  dependencies: CheckDependencies,
): (target: AnalysisTarget) => Promise<SimulationChecks> {
  const { openState, bytecodeJudge, onCheckFailure } = dependencies

  async function checkAt(state: StateSource, target: AnalysisTarget): Promise<Attempt> {
    const { chain, address, signal } = target
    const failures: Failure[] = []
    const note = (check: CheckName) => (error: unknown) => void failures.push({ check, error })
    const [simulate, bytecode, history] = await Promise.all([
      settle(checkSimulate(dependencies, target, state), note('simulate')),
      settle(bytecodeJudge.judge({ state, address, chain, ...(signal && { signal }) }), note('bytecode')),
      settle(checkHistory(dependencies, target, state), note('history')),
    ])
    const { number, hash, timestamp } = state.block
    return { checks: { block: { number, hash, timestamp }, simulate, bytecode, history }, failures }
  }

  return async (target) => {
    const plan = tradePlan('simulate', target)
    let attempt = await checkAt(await openState(target, plan), target)
    if (target.blockNumber === undefined && attempt.failures.some(({ error }) => isBlockGone(error))) {
      attempt = await checkAt(await openState(target, plan), target)
    }
    for (const { check, error } of attempt.failures) onCheckFailure(check, error)
    return attempt.checks
  }
}

type CheckName = 'simulate' | 'bytecode' | 'history'

interface Failure {
  check: CheckName
  error: unknown
}

/** The checks at one block. When that block is replaced meanwhile, there is a second attempt at the new head. */
interface Attempt {
  checks: SimulationChecks
  failures: readonly Failure[]
}
