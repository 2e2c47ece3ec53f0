import { createCountedLru } from '../scheduling/lru.js'
import type { TokenAddress } from '../solana/token-address.js'

/** Changes of one kind that are told of a token within {@link FLAPPING_MS}. */
const MAX_TOLD = 12
const FLAPPING_MS = 3_600_000

/** Whether a change is told; `last` where the next ones of the hour are not. */
export type Permission = 'yes' | 'last' | 'no'

/**
 * Tells tokens whose words change all the time from those that are changed by an act. Each kind is
 * counted by itself: who flips a switch to tire its watchers must not hide that liquidity leaves.
 */
export function createFlapping() {
  const told = createCountedLru<string, { since: number; count: number }>(MAX_FLAPPING)
  return {
    permits(token: TokenAddress, kind: string, now: number): Permission {
      const key = `${token} ${kind}`
      const known = told.get(key)
      const { since, count } = known && now - known.since < FLAPPING_MS ? known : { since: now, count: 0 }
      told.set(key, { since, count: count + 1 })
      if (count >= MAX_TOLD) return 'no'
      return count === MAX_TOLD - 1 ? 'last' : 'yes'
    },
  }
}

/** Those that changed last; the others have been quiet since. */
const MAX_FLAPPING = 4_096
