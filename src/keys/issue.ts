import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import { parseKeyOrigins } from './key-origins.js'
import { type KeyLimits, type KeyRecord, limitsOf, type Tier } from './key-record.js'
import type { KeyStore } from './key-store.js'
import { createId, createSecret, hashSecret, maskSecret } from './secret.js'

export interface KeyOrder {
  label: string
  tier: Tier
  /** Who orders it, when it is not the operator. */
  wallet?: string
  /** Only for partners. */
  limits?: Partial<KeyLimits>
  /** Of pages that are to use it. */
  origins?: readonly string[]
}

/** Creates and stores a key. The answer is the only place where the key itself ever appears. */
export async function issueKey(
  { store, clock }: { store: KeyStore; clock: Clock },
  order: KeyOrder,
): Promise<IssuedKey> {
  const issued = createKey(order, clock)
  await store.insert(issued.record)
  return issued
}

export interface IssuedKey {
  key: string
  record: KeyRecord
}

/** Makes a key that is not stored yet. */
export function createKey({ label, tier, limits, wallet, origins = [] }: KeyOrder, clock: Clock): IssuedKey {
  const key = createSecret()
  const record: KeyRecord = {
    id: createId('key'),
    hash: hashSecret(key),
    masked: maskSecret(key),
    label: parseLabel(label),
    wallet,
    tier,
    limits: limitsOf(tier, limits),
    origins: parseKeyOrigins(origins),
    createdAt: clock.now(),
    lastUsedAt: undefined,
    revokedAt: undefined,
  }
  return { key, record }
}

const MAX_LABEL_LENGTH = 100

/** A label ends up in terminals, logs and web pages: one line of visible characters. */
function parseLabel(text: string): string {
  const label = text.trim()
  if (label === '' || label.length > MAX_LABEL_LENGTH || INVISIBLE.test(label)) {
    throw new InvalidLabelError()
  }
  return label
}

/**
 * Control, format (bidirectional and zero-width) and line-separating characters, and halves of
 * characters.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

export class InvalidLabelError extends BaseError {
  override readonly name = 'InvalidLabelError'

  constructor() {
    super(`A label is 1 to ${MAX_LABEL_LENGTH} visible characters on one line`)
  }
}
