import type { Chain } from '../chains/chain.js'
import { hardforkAt } from '../chains/chain.js'
import { UnsupportedExecutionError } from '../evm/chain-extras.js'
import { createEvm } from '../evm/create-evm.js'
import { AnalysisResistedError, type Limits } from '../evm/limits.js'
import type { StateMiss, StateReader } from '../state/state-reader.js'
import type { PinnedBlock, StateSnapshot } from '../state/state-source.js'
import { pendingBlock } from './pending-block.js'
import type { Scenario } from './scenario.js'

/** One run of a scenario over the state that is known so far. */
export interface RunRequest {
  module: string
  name: string
  input: unknown
  chain: Chain
  block: PinnedBlock
  snapshot: StateSnapshot
}

export type RunAnswer =
  | { kind: 'done'; output: unknown }
  /** The run needed values that the snapshot lacks; whatever it computed is void. */
  | { kind: 'missing'; misses: StateMiss[] }
  | { kind: 'resisted'; bound: keyof Limits }
  /** The run met something that only the chain's own node can execute. */
  | { kind: 'unsupported'; what: string }

/** Runs in a worker thread, which is killed when it does not come back in time. */
export default async function run(request: RunRequest): Promise<RunAnswer> {
  const scenario = await loadScenario(request)
  const { chain, block, snapshot, input } = request
  const evm = createEvm({
    state: readerOf(snapshot),
    block: pendingBlock(chain, block),
    hardfork: hardforkAt(chain, block.timestamp),
  })
  const missing = () => ({ kind: 'missing', misses: evm.misses.slice(0, MAX_MISSES_PER_RUN) }) as const
  try {
    const output = scenario.run({ evm, chain }, input)
    return evm.misses.length > 0 ? missing() : { kind: 'done', output }
  } catch (error) {
    // On incomplete state a scenario may meet anything; only a complete run is to be believed, or blamed.
    if (evm.misses.length > 0) return missing()
    if (error instanceof AnalysisResistedError) return { kind: 'resisted', bound: error.bound }
    if (error instanceof UnsupportedExecutionError) return { kind: 'unsupported', what: error.what }
    throw error
  }
}

/** A run that needs more state than this in one round is asking for the node's sake, not for ours. */
const MAX_MISSES_PER_RUN = 1_000

async function loadScenario({ module, name }: RunRequest): Promise<Scenario<unknown, unknown>> {
  const exported: Record<string, unknown> = await import(module)
  const scenario = exported[name]
  if (typeof scenario !== 'object' || scenario === null || !('run' in scenario)) {
    throw new TypeError(`${module} exports no scenario ${name}`)
  }
  return scenario as Scenario<unknown, unknown>
}

function readerOf({ accounts, code, storage, blockHashes }: StateSnapshot): StateReader {
  return {
    account: (address) => accounts.get(address),
    code: (codeHash) => code.get(codeHash),
    storage: (address, slot) => storage.get(address)?.get(slot),
    blockHash: (number) => blockHashes.get(number),
  }
}
