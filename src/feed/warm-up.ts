import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { Judges } from '../watching/judge-token.js'

export interface WarmUpOptions {
  judges: Judges
  slots: ConcurrencyLimit
  /** Tokens of each chain that are always traded on it, the most traded first. */
  tokensOf(chainId: number): readonly TokenAddress[]
  onFailure(error: unknown): void
}

/** Takes turns with callers as one of them, and as another than new tokens. */
const CALLER = 'warm-up'
/** Of each chain: as many as are judged at the same time, so that as many threads are ready. */
export const WARMING_TOKENS = 2
/** One judgement: what takes longer is not to be waited for. */
const WARMING_MS = 30_000

/**
 * Judges some tokens that are long known, and keeps nothing of it: threads have loaded and compiled
 * then what a judgement plays, and nodes have said what they can, before the first new token comes.
 * One chain after the other. Never rejects.
 */
export function createWarmUp({ judges, slots, tokensOf, onFailure }: WarmUpOptions) {
  return async (stop: AbortSignal): Promise<void> => {
    for (const [chainId, judge] of judges) {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(WARMING_MS)])
      const tokens = tokensOf(chainId).slice(0, WARMING_TOKENS)
      const warm = (address: TokenAddress) =>
        slots.run({ caller: CALLER, signal }, () => judge({ address, caller: CALLER, signal }))
      await Promise.all(tokens.map((token) => warm(token).catch((error) => stop.aborted || onFailure(error))))
      if (stop.aborted) return
    }
  }
}
