import type { EngineFacts } from '../chains/chain.js'
import type { Clock } from '../clock.js'
import type { Address, Hex } from '../hex.js'
import type { Account, StateMiss, StateReader } from '../state/state-reader.js'
import type { BlockEnvironment } from './block-environment.js'
import type { CodeCache } from './code.js'
import type { Inspector } from './inspector.js'
import type { Limits } from './limits.js'
import type { RuleSet } from './rules.js'
import type { TransactionRequest, TransactionResult } from './transaction.js'

export interface EvmOptions {
  state: StateReader
  block: BlockEnvironment
  hardfork: RuleSet
  /** Where the chain's EVM differs; by default what is known of the block's chain. */
  engine?: EngineFacts | undefined
  /** Bounds for the whole life of this object; the defaults are for one request. */
  limits?: Partial<Limits>
  /** Measures the wall-clock bound. */
  clock?: Clock
  /**
   * What values of blocks follow from that this run makes up: a secret that no author of a contract
   * can know. Without it, nothing is written for them, and their hashes are a known formula.
   */
  secret?: Hex
  /** Prepared code to share with others; by default all of one process share one cache. */
  codeCache?: CodeCache
}

export interface ReadRequest {
  from?: Address
  to: Address
  data: Hex
  value?: bigint
  /** At most; ten times what a swap needs if absent. */
  gas?: number
}

/** A private copy of the chain at one block. Synchronous: nothing in it awaits. */
export interface Evm {
  /** The environment that the next transaction sees. */
  readonly block: BlockEnvironment
  /** Time travel: later transactions see this block. */
  setBlock(block: BlockEnvironment): void
  /**
   * Executes and commits one transaction by the chain's rules. Throws `InvalidTransactionError`
   * where the chain would not include it, and `AnalysisResistedError` when a bound of {@link
   * Limits} is reached.
   */
  transact(tx: TransactionRequest, inspectors?: readonly Inspector[]): TransactionResult
  /** Like `eth_call`: no fee, no nonce, all effects undone. */
  read(call: ReadRequest, inspectors?: readonly Inspector[]): TransactionResult
  /**
   * Like a call that a contract makes: no fee, no nonce, and what it did stays. An account with
   * code sends no transaction (EIP-3607).
   */
  act(call: ReadRequest, inspectors?: readonly Inspector[]): TransactionResult
  /**
   * Marks the present state; `restore` returns to it, any number of times, and forgets later marks.
   */
  snapshot(): number
  restore(snapshot: number): void
  account(address: Address): Account
  code(address: Address): Uint8Array
  storage(address: Address, slot: bigint): bigint
  /**
   * Promises that no contract can have met this address before: it is an empty account, and storage
   * under keys hashed from it is zero. Nothing of that is asked of the {@link StateReader}. Only
   * for addresses drawn at random.
   */
  addStranger(address: Address): void
  /** State overrides, as a test or a what-if sets them. */
  setBalance(address: Address, balance: bigint): void
  setNonce(address: Address, nonce: bigint): void
  setCode(address: Address, code: Uint8Array): void
  setStorage(address: Address, slot: bigint, value: bigint): void
  /**
   * What was needed and not known so far, in order of first need. A run with misses is not to be
   * believed.
   */
  readonly misses: readonly StateMiss[]
}
