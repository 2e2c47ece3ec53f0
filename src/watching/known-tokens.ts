import type { Clock } from '../clock.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { SeenBlock, WatchedToken, WatchStore } from './watch-store.js'
import { createWordIndex } from './word-index.js'

export interface KnownTokensOptions {
  chainId: number
  store: WatchStore
  clock: Clock
}

/** How far clocks of several machines may differ. */
const CLOCKS_MS = 10_000
/** All is read anew this often, without what is not watched any more. */
const RENEWED_MS = 600_000
/** A verdict that is older than this many blocks is not late any more: it is made again in time. */
const LATE_BLOCKS = 64n

/** What this process knows of the tokens of a chain: kept, and brought up to date at each look. */
export function createKnownTokens({ chainId, store, clock }: KnownTokensOptions) {
  let tokens = new Map<TokenAddress, WatchedToken>()
  let index = createWordIndex()
  let since = 0
  let madeAt = Number.NEGATIVE_INFINITY
  /** Tokens that were judged since the last step. */
  let fresh: WatchedToken[] = []
  return {
    get index() {
      return index
    },
    tokens: () => tokens.values(),
    judgementOf: (token: TokenAddress) => tokens.get(token)?.judgement,
    /**
     * Tokens whose verdicts were made lately, at blocks before the last that was gone through,
     * unless a change since has been told.
     */
    late({ number: last }: SeenBlock) {
      return fresh.flatMap(({ address, judgement, dependencies, changedBlock }) => {
        const judgedBlock = judgement?.block.number ?? last
        const isLate = judgedBlock < last && last - judgedBlock <= LATE_BLOCKS && changedBlock <= judgedBlock
        return isLate ? [{ address, judgedBlock, words: dependencies?.words ?? [] }] : []
      })
    },
    /** A step was written: what was judged before it is not late any more. */
    settle() {
      fresh = []
    },
    async refresh() {
      if (clock.monotonic() - madeAt > RENEWED_MS) {
        ;[tokens, index, since, madeAt] = [new Map(), createWordIndex(), 0, clock.monotonic()]
      }
      const now = clock.now()
      const newer = await store.listTokens(chainId, Math.max(0, since - CLOCKS_MS))
      since = now
      for (const token of newer) {
        if (tokens.get(token.address)?.judgedAt === token.judgedAt) continue
        tokens.set(token.address, token)
        fresh.push(token)
        index.set(token.address, token.dependencies)
      }
    },
  }
}
