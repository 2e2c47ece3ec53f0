import { createHmac } from 'node:crypto'
import type { BaseError } from '../errors.js'
import { UnsupportedExecutionError } from '../evm/chain-extras.js'
import { AnalysisResistedError } from '../evm/limits.js'
import type { Address, Hex } from '../hex.js'
import type { Scenario } from '../simulation/scenario.js'
import { type Simulator, StateUnsettledError } from '../simulation/simulator.js'
import type { StateSource } from '../state/state-source.js'
import type { AnalysisTarget } from './target.js'

export interface TradeDependencies {
  simulator: Simulator
  /** Makes traders that nobody can foresee: whoever knows the next trader's address can let that one alone sell. */
  traderSecret: Uint8Array
}

/** What every trading scenario is told. */
export interface TradeInput {
  target: Address
  /** Unguessable, and the same each time this report is computed. */
  seed: Hex
  /** Judge this pool instead of the deepest one. */
  pair?: Address
  /** Spend this much, in wei, instead of an amount that suits the pool. */
  amount?: bigint
}

/** Either what happened, or the words for which bound the code under test exhausted. */
export type TradeOutcome<Facts> = { facts: Facts; resisted?: undefined } | { facts?: undefined; resisted: string }

/** Plays a trading scenario on the target. A node that cannot be asked rejects; code that exhausts a bound is an outcome. */
export async function runTradeScenario<Facts>(
  { simulator, traderSecret }: TradeDependencies,
  scenario: Scenario<TradeInput, Facts>,
  { chain, address, pair, amount, signal }: AnalysisTarget,
  state: StateSource,
): Promise<TradeOutcome<Facts>> {
  // New for each block, because reports show the trader; the same within one, so that a report can be repeated.
  const seed = keyedHash(traderSecret, `${chain.id}:${address}:${state.block.hash}`)
  const input = { target: address, seed, ...(pair && { pair }), ...(amount && { amount }) }
  try {
    return { facts: await simulator.simulate({ scenario, input, chain, state, ...(signal && { signal }) }) }
  } catch (error) {
    if (VOID_RUNS.some((type) => error instanceof type)) return { resisted: (error as BaseError).shortMessage }
    throw error
  }
}

/** What the code under test can make of a run: neither guilt nor safety. */
const VOID_RUNS = [AnalysisResistedError, StateUnsettledError, UnsupportedExecutionError]

function keyedHash(secret: Uint8Array, subject: string): Hex {
  return `0x${createHmac('sha256', secret).update(subject).digest('hex')}`
}
