import { type Address, EMPTY_CODE_HASH, type Hex, toPaddedHex } from '../hex.js'
import type { Word } from '../instructions/word.js'
import type { Code } from './code.js'

/** A storage slot as this run sees it. */
export interface Slot {
  known: boolean
  value: Word
  /** Its value when transaction `originalIn` began (EIP-2200). */
  original: Word
  originalIn: number
  /** The transaction in which it is warm (EIP-2929). */
  warmIn: number
}

/**
 * An account as this run sees it. Numbers ending in `In` name the transaction in which the thing
 * holds.
 */
export interface AccountEntry {
  readonly word: Word
  readonly address: Address
  known: boolean
  missed: boolean
  balance: bigint
  nonce: bigint
  codeHash: Hex
  code: Code | undefined
  warmIn: number
  createdIn: number
  destroyedIn: number
  touchedIn: number
  /**
   * Created or destroyed by this run: what is not in `slots` is zero, and no node needs to be
   * asked.
   */
  freshStorage: boolean
  /** What code did with it, of {@link USED}. */
  used: number
  slots: Map<Word, Slot>
  transient: Map<Word, TransientSlot>
  transientIn: number
}

/** Bits of `AccountEntry.used`. */
export const USED = {
  /** It had coins to pay with, or had not. */
  coinsPaid: 1,
  /** Code asked how many coins it has. */
  coinsAsked: 2,
  /** Its code ran. */
  code: 4,
} as const

/** A slot of transient storage (EIP-1153). */
export interface TransientSlot {
  value: Word
}

/** Zero, until it is read. */
export function createSlot(known: boolean, warmIn: number): Slot {
  return { known, value: 0, original: 0, originalIn: 0, warmIn }
}

/** An account of which nothing is known yet. */
export function createEntry(word: Word): AccountEntry {
  return {
    word,
    address: toPaddedHex(BigInt(word), 20),
    known: false,
    missed: false,
    balance: 0n,
    nonce: 0n,
    codeHash: EMPTY_CODE_HASH,
    code: undefined,
    warmIn: 0,
    createdIn: 0,
    destroyedIn: 0,
    touchedIn: 0,
    freshStorage: false,
    used: 0,
    slots: new Map(),
    transient: NOTHING,
    transientIn: 0,
  }
}

/** Of an account that has not written any: it gets a table of its own with the first slot. */
const NOTHING = new Map<Word, TransientSlot>()

/** EIP-161: without balance, nonce and code. */
export function isEmpty(account: Pick<AccountEntry, 'balance' | 'nonce' | 'codeHash'>): boolean {
  return account.balance === 0n && account.nonce === 0n && account.codeHash === EMPTY_CODE_HASH
}
