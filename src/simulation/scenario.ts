import type { Chain } from '../chains/chain.js'
import type { Evm } from '../evm/evm.js'

/** The private copy of the chain that a scenario plays on. */
export interface Fork {
  evm: Evm
  chain: Chain
}

/**
 * A script of transactions and reads, played synchronously in a worker thread. Because a run that met unknown state is thrown away and
 * repeated, it must be deterministic: randomness comes in by `input`, as a seed.
 */
export interface Scenario<Input, Output> {
  /** `import.meta.url` of the module that exports this scenario, so that a worker can load it. */
  module: string
  /** The name under which the module exports it. */
  name: string
  /** `Input` and `Output` cross a thread border: plain data, `bigint`, `Map` and typed arrays only. */
  run(fork: Fork, input: Input): Output
}

/** Keeps the types of a scenario while it is written down. */
export function defineScenario<Input, Output>(scenario: Scenario<Input, Output>): Scenario<Input, Output> {
  return scenario
}
