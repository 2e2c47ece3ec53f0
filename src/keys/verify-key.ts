import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.js'
import type { KeyRecord } from './key-record.js'
import type { KeyStore } from './key-store.js'
import { hashSecret } from './secret.js'

export interface KeyVerifier {
  /**
   * The record of a key that may be used now, otherwise `undefined`: a revoked key and one that
   * never was look the same from outside, in answer and in time. Rejects with `KeyStoreError` when
   * the store cannot say.
   */
  verify(key: string): Promise<KeyRecord | undefined>
  /**
   * Writes the last uses that are not stored yet. Rejects with `KeyStoreError`; they are then kept
   * for the next time.
   */
  flush(): Promise<void>
}

/**
 * Checks keys against the store. Good answers are believed for {@link REMEMBERED_MS}, so that a
 * busy key costs no lookup per request and a revocation by any process is still felt within the
 * second. Bad answers are not remembered: there are too many bad keys.
 */
export function createKeyVerifier({ store, clock }: { store: KeyStore; clock: Clock }): KeyVerifier {
  const remembered = new Map<string, { record: KeyRecord; until: number }>()
  let uses = new Map<string, number>()

  const lookUp = async (hash: string): Promise<KeyRecord | undefined> => {
    remembered.delete(hash)
    const until = clock.monotonic() + REMEMBERED_MS
    const record = await store.findByHash(hash)
    if (record === undefined || !isEqual(record.hash, hash) || record.revokedAt !== undefined) return undefined
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(hash, { record, until })
    return record
  }

  return {
    async verify(key) {
      const hash = hashSecret(key)
      const known = remembered.get(hash)
      const isFresh = known !== undefined && clock.monotonic() < known.until
      const record = isFresh ? known.record : await lookUp(hash)
      if (record !== undefined) uses.set(record.id, clock.now())
      return record
    },
    async flush() {
      const pending = uses
      uses = new Map()
      try {
        await store.touch(pending)
      } catch (error) {
        uses = new Map([...pending, ...uses])
        throw error
      }
    },
  }
}

/**
 * Half of the second within which a revocation must be felt. Counted from before the lookup, not
 * after it.
 */
const REMEMBERED_MS = 500

/** Keys used within half a second; starting over costs one lookup each. */
const MAX_REMEMBERED = 10_000

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
