import { keccak_256 } from '@noble/hashes/sha3.js'
import { findCandidateSelectors } from '../../bytecode/candidate-selectors.js'
import { type ContractFacts, readFacts } from '../../bytecode/facts.js'
import type { Chain } from '../../chains/chain.js'
import { type Address, bytesToHex } from '../../hex.js'
import { createCountedLru } from '../../scheduling/lru.js'
import { type StartSignal, tellStarted } from '../../simulation/run-in-thread.js'
import type { StateMiss } from '../../state/state-reader.js'
import type { PinnedBlock, StateSnapshot, StateSource } from '../../state/state-source.js'
import type { BytecodeReport } from './bytecode-report.js'
import { checkBytecode } from './check-bytecode.js'
import { createDeadline } from './deadline.js'

export interface JudgeRequest extends StartSignal {
  address: Address
  chain: Chain
  block: PinnedBlock
  /** What this job has asked for so far, and nothing else. */
  known: StateSnapshot
}

export type JudgeAnswer = { kind: 'done'; output: BytecodeReport } | { kind: 'missing'; misses: StateMiss[] }

/**
 * Judges in a worker thread, which is killed when it does not come back in time. Asks for state by
 * answering what it lacks.
 */
export default async function judge({ address, chain, block, known, started }: JudgeRequest): Promise<JudgeAnswer> {
  tellStarted({ started })
  const missing: StateMiss[] = []
  const state = readOnly(block, known, missing)
  try {
    return { kind: 'done', output: await checkBytecode({ state, address, chain, analyse }) }
  } catch (error) {
    if (missing.length > 0) return { kind: 'missing', misses: missing }
    throw error
  }
}

/** A source that knows what it was given, and stops the work where more is wanted. */
function readOnly(block: PinnedBlock, known: StateSnapshot, missing: StateMiss[]): StateSource {
  const { accounts, code, storage, blockHashes } = known
  const has = (miss: StateMiss) =>
    miss.kind === 'account'
      ? accounts.has(miss.address)
      : miss.kind === 'storage'
        ? storage.get(miss.address)?.has(miss.slot) === true
        : blockHashes.has(miss.number)
  return {
    // No node is asked from here.
    suspect: 'chain',
    block,
    async load(misses) {
      missing.push(...misses.filter((miss) => !has(miss)))
      if (missing.length > 0) throw new Error('state is missing')
    },
    snapshot: () => known,
    account: (of) => accounts.get(of),
    code: (hash) => code.get(hash),
    storage: (of, slot) => storage.get(of)?.get(slot),
    blockHash: (number) => blockHashes.get(number),
  }
}

/**
 * Facts of the codes seen last in this thread: the rounds of one job need them again, and clones
 * share them.
 */
const MAX_CACHED = 24
const cache = createCountedLru<string, ContractFacts>(MAX_CACHED)

async function analyse(code: Uint8Array): Promise<ContractFacts> {
  const hash = bytesToHex(keccak_256(code))
  return cache.getOrMake(hash, () =>
    readFacts(code, { candidates: findCandidateSelectors(code), isOverdue: createDeadline() }),
  )
}
