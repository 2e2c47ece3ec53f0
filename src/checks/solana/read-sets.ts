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
  const sets = new Map<SolanaAddress, readonly SolanaAddress[]>()
  return {
    recall(mint) {
      const known = sets.get(mint)
      onLookup(known !== undefined)
      if (known === undefined) return []
      sets.delete(mint)
      sets.set(mint, known)
      return known
    },
    remember(mint, addresses) {
      sets.delete(mint)
      if (addresses.length > MAX_ADDRESSES) return
      sets.set(mint, addresses)
      const [oldest] = sets.keys()
      if (sets.size > MAX_MINTS && oldest !== undefined) sets.delete(oldest)
    },
  }
}

/** About three megabytes: the strings are not shared. */
const MAX_MINTS = 1_000
/** One call reads a hundred; a token that needs more is read step by step. */
const MAX_ADDRESSES = 90
