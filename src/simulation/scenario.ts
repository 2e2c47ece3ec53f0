import type { Chain } from '../chains/chain.js'
import type { Evm } from '../evm/evm.js'
import type { Hex } from '../hex.js'
import type { StateMiss } from '../state/state-reader.js'
import { define, type Playable } from './load-scenario.js'

/** The private copy of the chain that a scenario plays on. */
export interface Fork {
  evm: Evm
  chain: Chain
  /** Who executes; `interpreter` if absent. */
  engine?: EngineName
  /** Names the block that it starts from; absent where that is not the state of a chain. */
  origin?: Hex
  /** What was read of that block so far; absent where it is not noted. */
  reads?: StateMiss[] | undefined
}

/** Ours, or a method of the chain's own nodes. */
export type EngineName = 'interpreter' | 'eth_simulateV1' | 'eth_call'

/**
 * Whether the chain's node executes, at a round trip for whatever depends on an answer: searches in
 * many steps and looks inside the machine are to be left out then.
 */
export function isRemote({ engine = 'interpreter' }: Fork): boolean {
  return engine !== 'interpreter'
}

/**
 * A script of transactions and reads, played synchronously in a worker thread. Because a run that
 * met unknown state is thrown away and repeated, it must be deterministic: randomness comes in by
 * `input`, as a seed.
 */
export interface Scenario<Input, Output> extends Playable {
  /**
   * It is content with what a node tells, so that contracts which only a node can run may be tried
   * at all.
   */
  runsOnNode?: boolean
  /** It plays the trade that is asked about and no more: it passes runs that take long. */
  isShort?: boolean
  /**
   * Requests to the node that it may take to make known what it asks for; without it as many as a
   * trade may take.
   */
  maxRounds?: number
  /**
   * `Input` and `Output` cross a thread border: plain data, `bigint`, `Map` and typed arrays only.
   */
  run(fork: Fork, input: Input): Output
}

/** Makes a scenario known to its thread, and keeps its types while it is written down. */
export const defineScenario = <Input, Output>(scenario: Scenario<Input, Output>): Scenario<Input, Output> =>
  define(scenario)
