/** `free`: the limits of the specification. `partner`: limits of its own, set by the operator. */
export const TIERS = ['free', 'partner'] as const
export type Tier = (typeof TIERS)[number]

/** Requests per minute in each of the two classes. */
export interface KeyLimits {
  analysis: number
  general: number
}

/** What is stored of an API key: never the key itself. Times in milliseconds since 1970. */
export interface KeyRecord {
  id: string
  /** SHA-256 of the whole key, in lower-case hex. */
  hash: string
  /** What a person may see of the key, to tell it from others. */
  masked: string
  label: string
  /**
   * The wallet that made it in the portal, as `accounts/wallet.ts` names wallets; none when the
   * operator did.
   */
  wallet: string | undefined
  tier: Tier
  limits: KeyLimits
  /** Pages that may use it, and nothing else then may; every program where there are none. */
  origins: readonly string[]
  createdAt: number
  /** Accurate to about ten seconds. */
  lastUsedAt: number | undefined
  revokedAt: number | undefined
}

/** What the specification grants to a key that is free of charge (section 8). */
export const FREE_LIMITS: KeyLimits = { analysis: 10, general: 30 }

/** What a partner key gets when the operator names no numbers: ten times the free limits. */
const PARTNER_LIMITS: KeyLimits = { analysis: 100, general: 300 }

/**
 * An exact sliding window remembers one number per request; this bounds what one key can make it
 * remember.
 */
export const MAX_LIMIT = 10_000

/**
 * Limits of a tier. Only `partner` takes numbers of its own; throws a `RangeError` when they are no
 * limits.
 */
export function limitsOf(tier: Tier, own: Partial<KeyLimits> = {}): KeyLimits {
  if (tier === 'free') return FREE_LIMITS
  const limits = { ...PARTNER_LIMITS, ...own }
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
      throw new RangeError(`the ${name} limit must be a whole number from 1 to ${MAX_LIMIT}`)
    }
  }
  return limits
}
