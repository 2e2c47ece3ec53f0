import type { Clock } from '../clock.js'
import type { Simulator } from '../simulation/simulator.js'
import type { BytecodeJudge } from './bytecode/bytecode-judge.js'
import { checkHistory, type ReadTransfers } from './history/check-history.js'
import { type OpenState, tradePlan } from './open-state.js'
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
  onCheckFailure(check: 'simulate' | 'bytecode' | 'history', error: unknown): void
}

/** The three checks of one target at one block, side by side; each fails alone. Rejects only when the block cannot be had. */
export function createExecuteSimulation(
  dependencies: CheckDependencies,
): (target: AnalysisTarget) => Promise<SimulationChecks> {
  const { openState, bytecodeJudge, onCheckFailure } = dependencies
  return async (target) => {
    const { chain, address, signal } = target
    const state = await openState(target, tradePlan('simulate', target))
    const report = (check: Parameters<typeof onCheckFailure>[0]) => (error: unknown) => onCheckFailure(check, error)
    const [simulate, bytecode, history] = await Promise.all([
      settle(checkSimulate(dependencies, target, state), report('simulate')),
      settle(bytecodeJudge.judge({ state, address, chain, ...(signal && { signal }) }), report('bytecode')),
      settle(checkHistory(dependencies, target, state), report('history')),
    ])
    const { number, hash, timestamp } = state.block
    return { block: { number, hash, timestamp }, simulate, bytecode, history }
  }
}
