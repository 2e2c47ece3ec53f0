import { type KeyLimits, limitsOf, type Tier } from './key-record.js'
import type { KeyStore } from './key-store.js'

/**
 * Moves a key to another tier; effective within the second. Answers its new limits, or `undefined`
 * when there is no such key.
 */
export async function setTier(
  store: KeyStore,
  id: string,
  { tier, limits: own }: { tier: Tier; limits?: Partial<KeyLimits> },
): Promise<KeyLimits | undefined> {
  const limits = limitsOf(tier, own)
  return (await store.update(id, { tier, limits })) ? limits : undefined
}
