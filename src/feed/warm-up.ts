import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { Judges } from '../watching/judge-token.js'

export interface WarmUpOptions {
  judges: Judges
  slots: ConcurrencyLimit
  /** Tokens of each chain that are always traded on it, the most traded first. */
  tokensOf(chainId: number): readonly TokenAddress[]
  /** New tokens of a chain that wait for their verdict. */
  countWaiting(chainId: number): Promise<number>
  onFailure(error: unknown): void
}

/** Takes turns with callers as one of them, and as another than new tokens. */
const CALLER = 'warm-up'
/** Of each chain: the first loads what a judgement plays, the second makes it fast. */
export const WARMING_TOKENS = 2
/** One judgement: what takes longer is not to be waited for. */
const WARMING_MS = 30_000

/**
 * Judges some tokens that are long known, one after the other, and keeps nothing of it: threads
 * have loaded and compiled then what a judgement plays, and nodes have said what they can, before
 * the first new token comes. Where one has come it ends, since that does the same. Never rejects.
 */
export function createWarmUp({ judges, slots, tokensOf, countWaiting, onFailure }: WarmUpOptions) {
  return async (stop: AbortSignal): Promise<void> => {
    for (const [chainId, judge] of judges)
      for (const address of tokensOf(chainId).slice(0, WARMING_TOKENS)) {
        const signal = AbortSignal.any([stop, AbortSignal.timeout(WARMING_MS)])
        try {
          if ((await countWaiting(chainId)) > 0) break
          await slots.run({ caller: CALLER, signal }, () => judge({ address, caller: CALLER, signal }))
        } catch (error) {
          if (stop.aborted) return
          onFailure(error)
        }
      }
  }
}
