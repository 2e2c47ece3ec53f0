import type { Chain } from '../chains/chain.js'
import type { Clock } from '../clock.js'
import { type Address, EMPTY_CODE_HASH, type Hex } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { createByteLru } from '../scheduling/lru.js'
import { type BlockState, createBlockState, sizeOfLog } from './block-state.js'
import type { FactStore } from './fact-store.js'
import { createMemoryFactStore } from './memory-fact-store.js'
import {
  decodeReadSet,
  encodeReadSet,
  growReadSet,
  type ReadSet,
  type RememberedAccount,
  rememberAccount,
} from './read-set.js'
import type { StateMiss } from './state-reader.js'
import type { PinnedBlock, StateSnapshot } from './state-source.js'

/**
 * What outlives one request: the head for a moment, the state of the last few blocks, code by its
 * hash for good, and for each job which state it read last time. Everything is bounded, everything
 * can be forgotten at any time.
 */
export interface StateMemory {
  /** The head, while the next one is not due. */
  head(chain: Chain): SharedHead | undefined
  shareHead(chain: Chain, head: SharedHead): void
  /** The head turned out to be gone. */
  forgetHead(chain: Chain): void
  /** What is known of a block, from all requests together. */
  blockState(hash: Hex): BlockState
  /**
   * Adds `values` to it, and puts in place of their codes those that are remembered beyond the
   * block, which threads can share.
   */
  keep(chainId: number, hash: Hex, values: StateSnapshot, state?: BlockState): void
  code(hash: Hex): Uint8Array | undefined
  /**
   * The code that an address had when it was last seen: routers and factories are part of every
   * job, and seldom change.
   */
  lastCode(chainId: number, address: Address): RememberedAccount | undefined
  /**
   * What earlier runs of this job read, with the code of its accounts fetched from the store where
   * this process lacks it.
   */
  recall(chainId: number, key: string): Promise<ReadSet | undefined>
  learn(chainId: number, key: string, reads: readonly StateMiss[], state: StateSnapshot): void
  /** For small facts that never change, such as a token's name. */
  readonly facts: FactStore
  stats(): { blockBytes: number; codeBytes: number; readSetBytes: number }
}

export interface SharedHead {
  block: PinnedBlock
  /** The node that reported it. */
  endpoint: number
}

export interface StateMemoryOptions {
  clock: Clock
  /** Shared by a fleet, when there is one: code and read sets are kept there too. */
  fleet?: FactStore | undefined
  /**
   * Never share a head for longer than this; 0 reads it for each request, as a chain that mines on
   * demand wants it.
   */
  maxHeadShareMs?: number
  maxBlockBytes?: number
  maxCodeBytes?: number
  maxReadSetBytes?: number
  /** Told of each question, and whether the answer was there. */
  onLookup?(of: 'blocks' | 'codes' | 'read sets', isHit: boolean): void
}

export function createStateMemory({
  clock,
  fleet,
  maxHeadShareMs = MAX_HEAD_SHARE_MS,
  maxBlockBytes = MAX_BLOCK_BYTES,
  maxCodeBytes = MAX_CODE_BYTES,
  maxReadSetBytes = MAX_READ_SET_BYTES,
  onLookup = () => {},
}: StateMemoryOptions): StateMemory {
  const heads = new Map<number, SharedHead & { until: number }>()
  const blocks = createByteLru<BlockState>({
    maxBytes: maxBlockBytes,
    sizeOf: (state) => sizeOfLog(state.log()) * LOG_SHARE,
  })
  const lastCodes = createByteLru<RememberedAccount>({ maxBytes: MAX_LAST_CODE_BYTES, sizeOf: () => ACCOUNT_BYTES })
  const codes = createByteLru<Uint8Array>({ maxBytes: maxCodeBytes, sizeOf: (code) => code.length })
  const readSets = createByteLru<ReadSet>({ maxBytes: maxReadSetBytes, sizeOf: sizeOfReadSet })

  async function recallCode({ accounts }: ReadSet): Promise<void> {
    const missing = [...accounts.values()].map(({ codeHash }) => codeHash).filter((hash) => !codes.get(hash))
    const found = missing.length === 0 ? [] : ((await fleet?.get(missing.map(codeKey))) ?? [])
    missing.forEach((hash, i) => {
      const code = found[i]
      if (code !== undefined && keccak256(code) === hash) codes.set(hash, inSharedMemory(code))
    })
  }

  const memory: StateMemory = {
    facts: fleet ?? createMemoryFactStore(),
    head(chain) {
      const head = heads.get(chain.id)
      return head !== undefined && clock.monotonic() < head.until ? head : undefined
    },
    shareHead(chain, head) {
      const nextDueMs = Number(head.block.timestamp) * 1_000 + chain.blockTimeMs - clock.now()
      const shareMs = Math.min(nextDueMs, chain.blockTimeMs, maxHeadShareMs)
      heads.set(chain.id, { ...head, until: clock.monotonic() + shareMs })
    },
    forgetHead(chain) {
      heads.delete(chain.id)
    },
    blockState(hash) {
      const known = blocks.get(hash)
      onLookup('blocks', known !== undefined)
      // Threads read a log that grew beyond measure from its start.
      if (known !== undefined && sizeOfLog(known.log()) <= MAX_LOG_BYTES) return known
      const state = createBlockState()
      blocks.set(hash, state)
      return state
    },
    keep(chainId, hash, values, state = memory.blockState(hash)) {
      for (const [codeHash, code] of values.code) {
        const known = codes.get(codeHash)
        const shared = known ?? inSharedMemory(code)
        values.code.set(codeHash, shared)
        if (known !== undefined) continue
        codes.set(codeHash, shared)
        void fleet?.set(codeKey(codeHash), shared)
      }
      for (const [address, account] of values.accounts) {
        const key = addressKey(chainId, address)
        const isNew = lastCodes.get(key)?.codeHash !== account.codeHash
        if (isNew && account.codeHash !== EMPTY_CODE_HASH) lastCodes.set(key, rememberAccount(account, values))
      }
      state.add(values)
      if (blocks.get(hash) === state) blocks.set(hash, state)
    },
    code(hash) {
      const known = codes.get(hash)
      onLookup('codes', known !== undefined)
      return known
    },
    lastCode: (chainId, address) => lastCodes.get(addressKey(chainId, address)),
    async recall(chainId, key) {
      const name = readSetKey(chainId, key)
      const [stored] = readSets.get(name) ? [] : ((await fleet?.get([name])) ?? [])
      const readSet = readSets.get(name) ?? (stored && decodeReadSet(stored))
      onLookup('read sets', readSet !== undefined)
      if (readSet === undefined) return undefined
      readSets.set(name, readSet)
      await recallCode(readSet)
      return readSet
    },
    learn(chainId, key, reads, state) {
      const name = readSetKey(chainId, key)
      const known = readSets.get(name)
      const readSet = growReadSet(known, reads, state)
      if (readSet === known) return
      readSets.set(name, readSet)
      if (fleet) void fleet.set(name, encodeReadSet(readSet))
    },
    stats: () => ({ blockBytes: blocks.weight, codeBytes: codes.weight, readSetBytes: readSets.weight }),
  }
  return memory
}

/** Longer than any of our chains takes to its next block. */
const MAX_HEAD_SHARE_MS = 12_000
/** The state that some hundred tokens read at one block, for a few blocks. */
const MAX_BLOCK_BYTES = 32 * 1024 * 1024
/** About 6,000 contracts of 10 KB; clones of one another count once. */
const MAX_CODE_BYTES = 64 * 1024 * 1024
/** About 500 new tokens, whose sets hold what was read ahead for them. */
const MAX_READ_SET_BYTES = 16 * 1024 * 1024

/** About 10,000 addresses. */
const MAX_LAST_CODE_BYTES = 4 * 1024 * 1024

/** Posting a code to the thread that reads codes then copies nothing. */
function inSharedMemory(code: Uint8Array): Uint8Array {
  if (code.buffer instanceof SharedArrayBuffer) return code
  const shared = new Uint8Array(new SharedArrayBuffer(code.length))
  shared.set(code)
  return shared
}

const addressKey = (chainId: number, address: Address) => `${chainId}:${address}`
const codeKey = (hash: Hex) => `code:${hash}`
/** The number is the version of the encoding. */
const readSetKey = (chainId: number, key: string) => `reads:1:${chainId}:${key}`

/** What map entries with bigint and string keys cost in V8, measured roughly and rounded up. */
const ACCOUNT_BYTES = 320
const SLOT_BYTES = 200

/** What a block's values occupy beside what was written down of them. */
const LOG_SHARE = 3
/** Of one block: what some thousand ordinary tokens read. */
const MAX_LOG_BYTES = 4 * 1024 * 1024

function sizeOfReadSet({ accounts, slots }: ReadSet): number {
  let count = 0
  for (const keys of slots.values()) count += keys.size
  return accounts.size * ACCOUNT_BYTES + slots.size * ACCOUNT_BYTES + count * (SLOT_BYTES / 2)
}
