import type { Chain } from '../../chains/chain.js'
import { BaseError } from '../../errors.js'
import { AnalysisResistedError } from '../../evm/limits.js'
import type { Address } from '../../hex.js'
import {
  createSimulator,
  type Simulator,
  type SimulatorOptions,
  StateUnsettledError,
} from '../../simulation/simulator.js'
import type { StateSource } from '../../state/state-source.js'
import type { BytecodeReport } from './bytecode-report.js'
import { judgeCode } from './judge-code.js'

export interface BytecodeJudgeRequest {
  state: StateSource
  address: Address
  chain: Chain
  signal?: AbortSignal
}

/** Judges bytecode in threads of its own, so that hostile code holds up no other request. */
export interface BytecodeJudge {
  /**
   * Rejects with what `StateSource.load` rejects with, and with `BytecodeResistedError` when the
   * code kept a thread busy too long, or asked for ever more state.
   */
  judge(request: BytecodeJudgeRequest): Promise<BytecodeReport>
  /** Codes that wait for a thread. */
  queued(): number
  close(): Promise<void>
}

/**
 * Three codes at the hard stop of a second each, with room for a busy machine. Beyond that the
 * thread is killed.
 */
const TIMEOUT_MS = 5_000

export interface BytecodeJudgeOptions extends Pick<SimulatorOptions, 'threads' | 'onStrayError'> {
  /** Follows what its simulator does. */
  record?(simulator: Simulator): Simulator
}

export function createBytecodeJudge({
  threads = 1,
  onStrayError,
  record = (made) => made,
}: BytecodeJudgeOptions = {}): BytecodeJudge {
  // It begins when it is first needed: an analysis is trading all the while that it takes.
  const kept = 0
  const simulator = record(createSimulator({ threads, kept, runTimeoutMs: TIMEOUT_MS, onStrayError }))
  return {
    judge: ({ state, address, chain, signal }) =>
      simulator
        .simulate({
          scenario: judgeCode,
          input: { address, timestamp: state.block.timestamp },
          chain,
          state,
          ...(signal && { signal }),
        })
        .catch(toResisted),
    queued: simulator.queued,
    close: simulator.close,
  }
}

function toResisted(error: unknown): never {
  const isResisted = error instanceof AnalysisResistedError || error instanceof StateUnsettledError
  throw isResisted ? new BytecodeResistedError(error) : error
}

/**
 * The code could not be judged within its time. Never a clean result, and not proof of harm either.
 */
export class BytecodeResistedError extends BaseError {
  override readonly name = 'BytecodeResistedError'
  constructor(cause: unknown) {
    super('Bytecode analysis resisted: the code could not be read within its time', { cause })
  }
}
