import type { Fork } from './fork.js'

/**
 * Something to play on a fork, in a worker thread: what it does must depend on the fork and the
 * input alone, because it is played again when it turns out to need more accounts. Named by where
 * it stands, because functions cannot be sent to a thread.
 */
export interface SvmScenario<Input, Output> {
  /** `import.meta.url` of the module that exports it. */
  module: string
  /** Under which name. */
  name: string
  run(fork: Fork, input: Input): Output
}

export const defineSvmScenario = <Input, Output>(scenario: SvmScenario<Input, Output>): SvmScenario<Input, Output> =>
  scenario
