import type { Delivery } from '../batches/batch-store.js'
import type { VerdictDependencies } from '../reports/dependencies.js'
import type { TokenAddress } from '../solana/token-address.js'
import { StoreError } from '../stores/store-error.js'
import type { Alert, Judgement, Watch } from './watch.js'

/** Which share is used up: the key's, or the chain's. */
export type WatchRefusal = 'watches' | 'tokens'

export interface WatchShares {
  ofKey: number
  ofChain: number
}

/** A token that is watched, for however many. */
export interface WatchedToken {
  chainId: number
  address: TokenAddress
  /** Counts its judgements. */
  version: number
  /** The last verdict, and what it stands on; absent before the first. */
  judgement: Judgement | undefined
  dependencies: VerdictDependencies | undefined
  judgedAt: number | undefined
  /** The newest block that changed something of it. */
  changedBlock: bigint
  /** Attempts to judge it that failed one after another. */
  failures: number
}

/** A block that was looked at. */
export interface SeenBlock {
  number: bigint
  /** Hex, or base58 on Solana. */
  hash: string
}

/** How far a chain was followed: the last blocks, newest last; empty before the first. */
export type ChainPlace = readonly SeenBlock[]

/**
 * When a token is due that something happened to: before all that time alone has made due, of which
 * a service that was away for a day has thousands.
 */
export const aheadOf = (now: number): number => now - AHEAD_MS

/** The same for a token that is watched from now on: behind what happened, before what time did. */
export const aheadOfOld = (now: number): number => now - AHEAD_MS / 2

/** Longer than anything waits. */
const AHEAD_MS = 60 * 24 * 3_600_000

/** Where a chain was followed to. */
export interface FollowedPlace {
  block: SeenBlock
  /** When the newest block was last reached. */
  reachedAt: number
}

/** When a process takes or keeps a chain, and what it tells of itself thereby. */
export interface HoldTimes {
  now: number
  leaseMs: number
  /** When it last had gone through the newest block. */
  reachedAt?: number | undefined
}

/** A token that is to be judged again. */
export interface Due {
  address: TokenAddress
  dueAt: number
  /** The block whose change made it so; absent where time did. */
  changedBlock?: bigint
}

/** One step along a chain. */
export interface Advance {
  chainId: number
  holder: string
  before: ChainPlace
  after: ChainPlace
  due: readonly Due[]
  /** When every token of the chain is judged again at the latest; absent where not all are. */
  allDueAt?: number
  /**
   * Blocks beyond this one are the chain's no more: tokens that they changed are judged again, and
   * a verdict of the blocks that came in their stead is new enough.
   */
  undone?: { beyond: bigint; dueAt: number }
  alerts: readonly Alert[]
}

/** Some of the tokens of a chain. */
export interface TokenPage {
  after: TokenAddress | undefined
  limit: number
}

/** What came of judging a token once more. */
export interface Settlement {
  token: Pick<WatchedToken, 'chainId' | 'address' | 'version'>
  judgement: Judgement
  dependencies: VerdictDependencies | undefined
  judgedAt: number
  /** When it is judged next, whatever happens. */
  dueAt: number
  /** When it is judged next where its last change came after the verdict; or {@link STALE_MS}. */
  staleMs?: number
  alerts: readonly Alert[]
}

/** An alert with its place among all, which only rises. */
export interface StoredAlert extends Alert {
  place: number
  attempts: number
}

/**
 * Where watches, what is known of their tokens, and alerts live. What is decided together is
 * written together: a step along a chain with the alerts that it gives, a verdict with its own.
 * Every promise rejects with `WatchStoreError` when the store cannot be asked.
 */
export interface WatchStore {
  /** Renews the watch that the key has on the token already. */
  add(watch: Watch, shares: WatchShares): Promise<Watch | WatchRefusal>
  find(id: string): Promise<Watch | undefined>
  /** Newest first, at most {@link MAX_LISTED_WATCHES}. */
  list(keyId: string, now: number): Promise<Watch[]>
  remove(id: string, keyId: string): Promise<boolean>
  /** Watches on these tokens that have not ended. */
  listOn(chainId: number, addresses: readonly TokenAddress[], now: number): Promise<Watch[]>
  readToken(chainId: number, address: TokenAddress): Promise<WatchedToken | undefined>
  /** Chains with tokens to watch. */
  listChains(): Promise<number[]>
  /**
   * Takes the chain for `leaseMs`, or keeps it: one process follows it at a time. `undefined` while
   * another has it.
   */
  holdChain(chainId: number, holder: string, times: HoldTimes): Promise<ChainPlace | undefined>
  /** How far a chain was followed; `undefined` before its newest block was reached once. */
  readFollowed(chainId: number): Promise<FollowedPlace | undefined>
  releaseChain(chainId: number, holder: string): Promise<void>
  /** Whether the step was written: not where another process has moved on, or has the chain. */
  advance(step: Advance): Promise<boolean>
  /** Tokens of a chain in an order of its own, from the one after `after` on; or from the first. */
  listTokens(chainId: number, page: TokenPage): Promise<WatchedToken[]>
  /** Tokens of a chain that were ordered or judged after `since`. */
  listJudged(chainId: number, since: number): Promise<WatchedToken[]>
  countTokens(chainId: number): Promise<number>
  /** The token that waits longest to be judged; no other process gets it for `leaseMs`. */
  claimDue(chainIds: readonly number[], times: { now: number; leaseMs: number }): Promise<WatchedToken | undefined>
  /**
   * Whether the verdict was written: not where another came first. One that has not seen the last
   * change of its token is made anew after `staleMs`.
   */
  settle(settlement: Settlement): Promise<boolean>
  /** Has a token that could not be judged wait. */
  postpone(token: Pick<WatchedToken, 'chainId' | 'address' | 'version'>, dueAt: number): Promise<void>
  /** Alerts of a key after a place, oldest first, at most `limit`. */
  listAlerts(keyId: string, from: { after: number; limit: number; watchId?: string }): Promise<StoredAlert[]>
  /** Place of the newest alert of the key; 0 where it has none. */
  newestPlace(keyId: string): Promise<number>
  findAlert(id: string): Promise<StoredAlert | undefined>
  setDelivery(id: string, delivery: Delivery): Promise<void>
  /** Alerts after a place whose webhook waits, oldest first. */
  listUndelivered(after: number, limit: number): Promise<StoredAlert[]>
  /** Forgets watches that have ended, tokens that are not watched any more, and old alerts. */
  forgetOld(now: number): Promise<void>
}

/**
 * Until a verdict is made anew that was older than the last change: a node that stays behind must
 * not have one token judged all the time.
 */
export const STALE_MS = 2_000

/** Of one key in one answer; each is read with what is known of its token. */
export const MAX_LISTED_WATCHES = 200

/** The database did not answer, or answered nonsense. */
export class WatchStoreError extends StoreError {
  override readonly name = 'WatchStoreError'

  constructor(operation: string, cause: unknown) {
    super('store of watches', operation, cause)
  }
}
