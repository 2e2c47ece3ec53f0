import { createCountedLru } from '../../scheduling/lru.js'
import type { SolanaAddress } from '../../solana/address.js'

/**
 * Remembers which accounts the check of a token needed, so that the next one asks for all of them
 * at once. Only addresses: what they hold is read anew.
 */
export interface ReadSets {
  recall(mint: SolanaAddress): readonly SolanaAddress[]
  remember(mint: SolanaAddress, addresses: readonly SolanaAddress[]): void
}

/** `onLookup` is told of each token that was asked for, and whether it is remembered. */
export function createReadSets({ onLookup = () => {} }: { onLookup?(isHit: boolean): void } = {}): ReadSets {
  const sets = createCountedLru<SolanaAddress, readonly SolanaAddress[]>(MAX_MINTS)
  return {
    recall(mint) {
      const known = sets.get(mint)
      onLookup(known !== undefined)
      return known ?? []
    },
    remember(mint, addresses) {
      if (addresses.length > MAX_ADDRESSES) sets.delete(mint)
      else sets.set(mint, addresses)
    },
  }
}

/** About three megabytes: the strings are not shared. */
const MAX_MINTS = 1_000
/** One call reads a hundred; a token that needs more is read step by step. */
const MAX_ADDRESSES = 90
