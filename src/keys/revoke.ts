import type { Clock } from '../clock.js'
import type { KeyStore } from './key-store.js'
import { hashSecret, isWellFormedSecret } from './secret.js'

/**
 * Ends a key for good, named by its id or by the key itself (it was found where it should not be).
 * Every process refuses it within the second. Revoking twice changes nothing. Answers its id, or
 * `undefined` when there is no such key.
 */
export async function revokeKey(
  { store, clock }: { store: KeyStore; clock: Clock },
  idOrKey: string,
): Promise<string | undefined> {
  const record = isWellFormedSecret(idOrKey) ? await store.findByHash(hashSecret(idOrKey)) : await store.find(idOrKey)
  if (record === undefined) return undefined
  if (record.revokedAt === undefined) await store.update(record.id, { revokedAt: clock.now() })
  return record.id
}
