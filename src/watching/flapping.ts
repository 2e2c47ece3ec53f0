import { createCountedLru } from '../scheduling/lru.js'
import type { TokenAddress } from '../solana/token-address.js'

/** Changes of a token that are told within {@link FLAPPING_MS}; what changes more often moves. */
const MAX_TOLD = 12
const FLAPPING_MS = 3_600_000

/** Tells tokens whose words change all the time from those that are changed by an act. */
export function createFlapping() {
  const told = createCountedLru<TokenAddress, { since: number; count: number }>(MAX_FLAPPING)
  return {
    permits(token: TokenAddress, now: number): boolean {
      const known = told.get(token)
      const { since, count } = known && now - known.since < FLAPPING_MS ? known : { since: now, count: 0 }
      told.set(token, { since, count: count + 1 })
      return count < MAX_TOLD
    },
  }
}

/** Those that changed last; the others have been quiet since. */
const MAX_FLAPPING = 4_096
