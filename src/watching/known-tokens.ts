import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Clock } from '../clock.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { SeenBlock, WatchedToken, WatchStore } from './watch-store.js'
import { createWordIndex } from './word-index.js'

export interface KnownTokensOptions {
  chainId: number
  store: Pick<WatchStore, 'listTokens' | 'listJudged'>
  clock: Clock
}

/** How far clocks of several machines may differ. */
const CLOCKS_MS = 10_000
/** A process that has not looked for so long begins anew, as one that starts does. */
export const RENEWED_MS = 600_000
/** Tokens that are read in one go at the start; what else the process does has its turn between. */
export const READ_AT_ONCE = 250
/**
 * Tokens that each look reads anew, in turn, and as many that it forgets: what clocks that differ
 * more kept from it, and what is not watched any more. Ten thousand have their turn in ten minutes,
 * and a look takes some milliseconds longer for it.
 */
export const RENEWED_AT_ONCE = 20
/** A verdict that is older than this many blocks is not late any more: it is made again in time. */
const LATE_BLOCKS = 64n

/** What is kept of a token; its words are the index's. */
type KnownToken = Pick<WatchedToken, 'address' | 'judgement' | 'judgedAt' | 'changedBlock'>

/** What this process knows of the tokens of a chain: kept, and brought up to date at each look. */
export function createKnownTokens({ chainId, store, clock }: KnownTokensOptions) {
  let tokens = new Map<TokenAddress, KnownToken>()
  let index = createWordIndex()
  let since = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  /** Tokens that were judged since the last step. */
  let fresh: KnownToken[] = []
  /** How far the turn has come that reads all tokens anew, and the tokens that were met since. */
  let after: TokenAddress | undefined
  let met = new Set<TokenAddress>()
  /** Tokens that the last turn has not met. */
  let gone = new Set<TokenAddress>()

  const take = ({ address, judgement, judgedAt, changedBlock, dependencies }: WatchedToken) => {
    met.add(address)
    gone.delete(address)
    const known = tokens.get(address)
    if (known && known.judgedAt === judgedAt) return
    const token = { address, judgement, judgedAt, changedBlock }
    tokens.set(address, token)
    fresh.push(token)
    index.set(address, dependencies)
  }

  const readAll = async () => {
    ;[tokens, index, fresh, after, met, gone] = [new Map(), createWordIndex(), [], undefined, new Set(), new Set()]
    for (;;) {
      const page: WatchedToken[] = await store.listTokens(chainId, { after, limit: READ_AT_ONCE })
      page.forEach(take)
      after = page.at(-1)?.address
      if (page.length < READ_AT_ONCE) break
      await yieldToOthers()
    }
    ;[after, met] = [undefined, new Set()]
  }

  const renewSome = async () => {
    const page = await store.listTokens(chainId, { after, limit: RENEWED_AT_ONCE })
    page.forEach(take)
    after = page.at(-1)?.address
    if (page.length < RENEWED_AT_ONCE) {
      gone = new Set([...tokens.keys()].filter((address) => !met.has(address)))
      ;[after, met] = [undefined, new Set()]
    }
    for (const address of [...gone].slice(0, RENEWED_AT_ONCE)) forget(address)
  }
  const forget = (address: TokenAddress) => {
    gone.delete(address)
    tokens.delete(address)
    index.set(address, undefined)
  }

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
      return fresh.flatMap(({ address, judgement, changedBlock }) => {
        const judgedBlock = judgement?.block.number ?? last
        const isLate = judgedBlock < last && last - judgedBlock <= LATE_BLOCKS && changedBlock <= judgedBlock
        return isLate ? [{ address, judgedBlock, words: index.wordsOf(address) }] : []
      })
    },
    /** A step was written: what was judged before it is not late any more. */
    settle() {
      fresh = []
    },
    async refresh() {
      const now = clock.now()
      if (clock.monotonic() - lookedAt > RENEWED_MS) await readAll()
      else {
        const judged = await store.listJudged(chainId, Math.max(0, since - CLOCKS_MS))
        judged.forEach(take)
        await renewSome()
      }
      ;[since, lookedAt] = [now, clock.monotonic()]
    },
  }
}
