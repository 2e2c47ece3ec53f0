import type { Chain } from '../chains/chain.js'
import type { Clock } from '../clock.js'
import type { Simulator } from '../simulation/simulator.js'
import type { StateSource } from '../state/state-source.js'
import { checkBytecode } from './bytecode/check-bytecode.js'
import { checkHistory, type ReadTransfers } from './history/check-history.js'
import { settle } from './settle.js'
import { checkSimulate } from './simulate/check-simulate.js'
import type { SimulationChecks } from './simulation-checks.js'
import type { AnalysisTarget } from './target.js'

/** What the checks need of the world. */
export interface CheckDependencies {
  /** Pins one block for the whole request. Rejects when no node can be asked. */
  openState(chain: Chain, options: { blockNumber?: bigint; signal?: AbortSignal }): Promise<StateSource>
  readTransfers: ReadTransfers
  simulator: Simulator
  clock: Clock
  traderSecret: Uint8Array
  /** Told of each failed check, with everything that the client may not see. */
  onCheckFailure(check: 'simulate' | 'bytecode' | 'history', error: unknown): void
}

/** The three checks of one target at one block, side by side; each fails alone. Rejects only when the block cannot be had. */
export function createExecuteSimulation(
  dependencies: CheckDependencies,
): (target: AnalysisTarget) => Promise<SimulationChecks> {
  const { openState, onCheckFailure } = dependencies
  return async (target) => {
    const { chain, address, blockNumber, signal } = target
    const state = await openState(chain, {
      ...(blockNumber !== undefined && { blockNumber }),
      ...(signal && { signal }),
    })
    const report = (check: Parameters<typeof onCheckFailure>[0]) => (error: unknown) => onCheckFailure(check, error)
    const [simulate, bytecode, history] = await Promise.all([
      settle(checkSimulate(dependencies, target, state), report('simulate')),
      settle(checkBytecode({ state, address, chain }), report('bytecode')),
      settle(checkHistory(dependencies, target, state), report('history')),
    ])
    const { number, hash, timestamp } = state.block
    return { block: { number, hash, timestamp }, simulate, bytecode, history }
  }
}
