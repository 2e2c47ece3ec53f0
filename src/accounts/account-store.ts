import { StoreError } from '../stores/store-error.js'

/** A nonce that a wallet signed in with. Nothing is known of one before. */
export interface UsedNonceRecord {
  nonce: string
  wallet: string
  /** Milliseconds since 1970, as all times here. */
  usedAt: number
  /** From when on the nonce is of no use by itself, so that the record may go. */
  expiresAt: number
}

export interface SessionRecord {
  /** SHA-256 of what the cookie holds, in lower-case hex. */
  hash: string
  wallet: string
  createdAt: number
  expiresAt: number
}

/** One wish for a new key. */
export interface KeyOrderRecord {
  id: string
  /** Address or network that it came from, as limits count it. */
  caller: string
  orderedAt: number
}

export interface OrderBound {
  since: number
  limit: number
}

/**
 * Where sign-ins and sessions live, shared by all processes. Every promise rejects with {@link
 * AccountStoreError} when the store cannot be asked. What is past its time is deleted whenever
 * something of its kind is added, so that nothing piles up.
 */
export interface AccountStore {
  /**
   * Takes a nonce for one caller only, once. `full`: {@link MAX_USED_NONCES_PER_WALLET} of this
   * wallet are not past their time yet.
   */
  spendNonce(record: UsedNonceRecord): Promise<'taken' | 'used' | 'full'>
  /**
   * Bytes that all processes of one database share and nothing else knows; made at the first time.
   */
  sharedSecret(name: string): Promise<Buffer>
  /** Keeps the newest {@link MAX_SESSIONS_PER_WALLET} of a wallet. */
  addSession(record: SessionRecord): Promise<void>
  findSession(hash: string): Promise<SessionRecord | undefined>
  removeSession(hash: string): Promise<void>
  /**
   * Writes an order down, if this caller has fewer than `limit` since `since`, and says whether it
   * did. Forgets those before.
   */
  addKeyOrder(record: KeyOrderRecord, bound: OrderBound): Promise<boolean>
}

/**
 * Sign-ins of one wallet in the five minutes that a nonce lives. Each costs a signature of that
 * wallet.
 */
export const MAX_USED_NONCES_PER_WALLET = 20

/**
 * After its time: a clock that ran ahead by less and was set right makes no used nonce good again.
 */
export const NONCE_KEPT_MS = 24 * 3_600_000

/** Of a {@link AccountStore.sharedSecret}: as many as the hash has that uses it. */
export const SECRET_BYTES = 32

/** Devices of one person. */
export const MAX_SESSIONS_PER_WALLET = 10

/** The account store did not answer, or answered nonsense. Nothing is known about the caller. */
export class AccountStoreError extends StoreError {
  override readonly name = 'AccountStoreError'

  constructor(operation: string, cause: unknown) {
    super('account store', operation, cause)
  }
}
