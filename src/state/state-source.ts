import { BaseError } from '../errors.js'
import type { Address, Hex } from '../hex.js'
import { RpcRejectedError } from '../rpc/node-replies.js'
import type { Suspect } from '../rpc/suspect.js'
import type { StateLog } from './block-state.js'
import type { Account, StateMiss, StateReader } from './state-reader.js'

/** The block that all answers of one request come from. */
export interface PinnedBlock {
  chainId: number
  number: bigint
  hash: Hex
  parentHash: Hex
  timestamp: bigint
  coinbase: Address
  gasLimit: bigint
  baseFeePerGas: bigint
  prevRandao: Hex
  excessBlobGas: bigint | undefined
  /** Arbitrum only: what NUMBER answers there. */
  l1BlockNumber: bigint | undefined
  /** EIP-7843; absent where the header has none. */
  slotNumber?: bigint | undefined
}

/** Known state. */
export interface StateSnapshot {
  accounts: Map<Address, Account>
  code: Map<Hex, Uint8Array>
  storage: Map<Address, Map<bigint, bigint>>
  blockHashes: Map<bigint, Hex>
}

/**
 * Chain state at one block, known in part. Answers synchronously from what it knows ({@link
 * StateReader}), and fetches the rest on request. An unwritten slot is `0n` and a missing account
 * is empty only when the node has said so.
 */
export interface StateSource extends StateReader {
  readonly block: PinnedBlock
  /** Whose analysis it is read for: work on it takes turns with that of others. */
  readonly caller?: string | undefined
  /** What it is of, as far as the nodes are asked for it. */
  readonly suspect: Suspect
  /**
   * Fetches all of these at once; afterwards the reader knows them. Rejects with
   * `StateUnavailableError` or `StateFloodError`, never with a guess.
   */
  load(misses: readonly StateMiss[]): Promise<void>
  /**
   * Told what a run read of it. What is read ahead and never used is not worth remembering, so
   * that a source which knows the job the next time reads only this, and what was loaded.
   */
  noteUse?(reads: readonly StateMiss[]): void
  /**
   * What is known of the block, from this source and others. The maps are shared: read them, do not
   * write.
   */
  snapshot(): StateSnapshot
  /** What was loaded through this source. */
  asked(): StateSnapshot
  /** The same as the snapshot, for threads. */
  log(): StateLog
}

/** State that a run needs could not be had from any node. The cause tells what the nodes did. */
export class StateUnavailableError extends BaseError {
  override readonly name = 'StateUnavailableError'
  constructor(cause: unknown, details?: string) {
    super('Chain state is not available', {
      cause,
      ...(details !== undefined && { details }),
      docs: 'docs/operating.md',
    })
  }

  /**
   * The nodes no longer have the pinned block: a reorganisation. The whole request may be tried
   * once more, at the new head.
   */
  get isBlockGone(): boolean {
    return this.find(BlockMismatchError) !== undefined || this.find(RpcRejectedError)?.kind === 'block-unknown'
  }
}

/** The request named a height, and the nodes have no block there. */
export class BlockNotFoundError extends StateUnavailableError {}

/**
 * More state is asked for than a job that is meant honestly needs: what code under test can bring
 * about, and no node's failure.
 */
export class StateFloodError extends BaseError {
  override readonly name = 'StateFloodError'
  constructor(details: string) {
    super('Analysis resisted: state', { details })
  }
}

/** The node has another block at that height: a reorganisation, or a node on another branch. */
export class BlockMismatchError extends BaseError {
  override readonly name = 'BlockMismatchError'
  constructor() {
    super('A chain node has another block at this height')
  }
}
