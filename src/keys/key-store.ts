import { StoreError } from '../stores/store-error.js'
import type { KeyRecord } from './key-record.js'

/** What may change of a stored key. */
export type KeyChange = Partial<Pick<KeyRecord, 'tier' | 'limits' | 'revokedAt'>>

/**
 * Where key records live. Every promise rejects with `KeyStoreError` when the store cannot be
 * asked, and a write that resolved survives the death of the process.
 */
export interface KeyStore {
  insert(record: KeyRecord): Promise<void>
  find(id: string): Promise<KeyRecord | undefined>
  findByHash(hash: string): Promise<KeyRecord | undefined>
  /** Oldest first, at most {@link MAX_LISTED}. */
  list(): Promise<KeyRecord[]>
  /** Those of one wallet that are not revoked, newest first, at most {@link MAX_LISTED}. */
  listOf(wallet: string): Promise<KeyRecord[]>
  /** False when there is no such key. */
  update(id: string, change: KeyChange): Promise<boolean>
  /**
   * Ends one key and adds its successor, both or neither. False when there is no such key, or it is
   * revoked already.
   */
  replace(id: string, successor: KeyRecord): Promise<boolean>
  /** Takes back a key that was not handed out. */
  remove(id: string): Promise<void>
  /** Records last uses, by id. Never moves one back, and ignores ids that do not exist. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>
  /** Rejects when the store cannot answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A list for a person's eyes; more keys than this are looked up, not listed. */
export const MAX_LISTED = 10_000

/**
 * The key store did not answer, or answered nonsense. Nothing is known about the key in question.
 */
export class KeyStoreError extends StoreError {
  override readonly name = 'KeyStoreError'

  constructor(operation: string, cause: unknown) {
    super('key store', operation, cause)
  }
}
