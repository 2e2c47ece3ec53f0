import { BaseError } from '../errors.js'

/** A word that makes one signature good for one sign-in. Times in milliseconds since 1970. */
export interface NonceRecord {
  nonce: string
  /** The origin that it was asked at; the message must be for the same one. */
  origin: string
  /** The chain that the message must name, where the caller named one: a chain id in digits, or `SOL`. */
  chain: string | undefined
  issuedAt: number
  expiresAt: number
}

export interface SessionRecord {
  /** SHA-256 of what the cookie holds, in lower-case hex. */
  hash: string
  wallet: string
  createdAt: number
  expiresAt: number
}

/** One wish for a new key, granted or not. */
export interface KeyOrderRecord {
  id: string
  /** Address that it came from, as limits count it. */
  caller: string
  orderedAt: number
}

/**
 * Where sign-ins and sessions live, shared by all processes. Every promise rejects with {@link AccountStoreError} when the store cannot be asked. What is
 * past its time is deleted whenever something of its kind is added, so that nothing piles up.
 */
export interface AccountStore {
  /** False when too many wait for an answer already. */
  addNonce(record: NonceRecord): Promise<boolean>
  /** Gives a nonce to one caller only, once. Expired ones too: the caller looks at the time. */
  takeNonce(nonce: string): Promise<NonceRecord | undefined>
  /** Keeps the newest {@link MAX_SESSIONS_PER_WALLET} of a wallet. */
  addSession(record: SessionRecord): Promise<void>
  findSession(hash: string): Promise<SessionRecord | undefined>
  removeSession(hash: string): Promise<void>
  /** Writes an order down, forgets those before `since`, and says how many of this caller's are left, this one included. */
  addKeyOrder(record: KeyOrderRecord, since: number): Promise<number>
}

/** Sign-ins that may be under way. Each is a row of 150 bytes; an address can begin 30 a minute, and each ends after five minutes. */
export const MAX_NONCES = 50_000

/** Devices of one person. */
export const MAX_SESSIONS_PER_WALLET = 10

/** The account store did not answer, or answered nonsense. Nothing is known about the caller. */
export class AccountStoreError extends BaseError {
  override readonly name = 'AccountStoreError'

  constructor(operation: string, cause: unknown) {
    super(`The account store failed to ${operation}`, {
      cause,
      details: cause instanceof Error ? cause.message : String(cause),
      docs: 'docs/operating.md',
    })
  }
}
