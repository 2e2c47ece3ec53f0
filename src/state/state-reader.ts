import type { Address, Hex } from '../hex.js'

/**
 * What the state trie says of an account. An account that does not exist is `balance 0, nonce 0,
 * EMPTY_CODE_HASH`.
 */
export interface Account {
  balance: bigint
  /** Or {@link UNKNOWN_NONCE}. */
  nonce: bigint
  codeHash: Hex
}

/**
 * Stands for the nonce of an account that is known but for that: no code can ask for it, and few
 * runs come to need it.
 */
export const UNKNOWN_NONCE = -1n

/**
 * Chain state at one block as the engine sees it: synchronous, and `undefined` where the value is
 * not known yet. The engine records each `undefined` as a {@link StateMiss}, goes on with zero, and
 * leaves it to its caller to fetch and repeat.
 */
export interface StateReader {
  account(address: Address): Account | undefined
  /** Code by its hash, so that clones share one object (and one jump-destination analysis). */
  code(codeHash: Hex): Uint8Array | undefined
  storage(address: Address, slot: bigint): bigint | undefined
  /** Hash of one of the 256 blocks before the pinned one. */
  blockHash(number: bigint): Hex | undefined
  /**
   * Whether an account without code has storage all the same (EIP-7610). No such account can come
   * into being; 28 old ones exist.
   */
  hasStorage?(address: Address): boolean
}

/**
 * A value that a run needed and did not have. `account` asks for balance, nonce, code hash and the
 * code itself.
 */
export type StateMiss =
  | { kind: 'account'; address: Address }
  | { kind: 'storage'; address: Address; slot: bigint }
  | { kind: 'blockHash'; number: bigint }
