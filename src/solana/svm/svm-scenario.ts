import { define, type Playable } from '../../simulation/load-scenario.js'
import type { Fork } from './fork.js'

/**
 * Something to play on a fork, in a worker thread: what it does must depend on the fork and the
 * input alone, because it is played again when it turns out to need more accounts.
 */
export interface SvmScenario<Input, Output> extends Playable {
  run(fork: Fork, input: Input): Output
}

export const defineSvmScenario = <Input, Output>(scenario: SvmScenario<Input, Output>): SvmScenario<Input, Output> =>
  define(scenario)
