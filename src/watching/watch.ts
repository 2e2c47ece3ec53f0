import type { Webhook, WebhookState } from '../batches/batch.js'
import type { TrustStatus } from '../checks/levels.js'
import type { Advice } from '../reports/advice.js'
import type { TokenBody } from '../reports/fields/token.js'
import type { TokenAddress } from '../solana/token-address.js'

/**
 * What a watch can tell. `level`: the verdict rises or falls. `condition`: what decides a sale was
 * changed. `owner`: who may call privileged functions, or the code itself, was changed.
 * `liquidity`: much of the pool's coin left at once. `tax`: the cost of a trade changed. `date`: a
 * change came that the report had announced. `pending`: a transaction that no block has yet would
 * change something of these.
 */
export const ALERT_KINDS = ['level', 'condition', 'owner', 'liquidity', 'tax', 'date', 'pending'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** A wish of one key to be told of one token. Times in milliseconds since 1970. */
export interface Watch {
  id: string
  /** Id of the key that it belongs to. */
  keyId: string
  chainId: number
  address: TokenAddress
  tells: readonly AlertKind[]
  webhook: Webhook | undefined
  /** Ids of the key's contacts that are told too (`src/contacts/`). */
  contacts: readonly string[]
  createdAt: number
  /** Watched until then, unless it is asked for again. */
  expiresAt: number
}

/** What of a verdict is shown, and compared with the next one. */
export interface Judgement {
  level: TrustStatus
  /** 0 to 100, higher is worse. */
  score: number
  /** The same in the words of a buyer. */
  advice: Advice
  headline: string
  /** What the token called itself then: untrusted, bounded and of visible characters alone. */
  token: TokenBody
  /** Basis points; `undefined` where nothing was traded. */
  buyTaxBps: number | undefined
  sellTaxBps: number | undefined
  isHoneypot: boolean
  /** Work of ours that did not finish makes it no better than the one before. */
  isWhole: boolean
  /** On Solana a slot, whose hash no account tells. */
  block: { number: bigint; hash: string | undefined }
}

/** Where a change came from. What waits was played on the newest block, which is named here. */
export interface Origin {
  block: { number: bigint; hash: string }
  /** Absent where the node does not tell. */
  transaction: string | undefined
}

/** One thing that a watch tells. */
export interface Alert {
  /** The same for the same thing, however often it is found. */
  id: string
  watchId: string
  keyId: string
  chainId: number
  address: TokenAddress
  at: number
  kind: AlertKind
  /** What happened, in one sentence. */
  text: string
  origin: Origin | undefined
  /** The verdict before, and after where it was judged again. */
  before: Judgement | undefined
  after: Judgement | undefined
  webhookState: WebhookState
  /** Contacts that the watch named when it happened. */
  contacts: readonly string[]
}

/** Watches of one key for each analysis a minute that it may make: 100 for a free one. */
const WATCHES_PER_ANALYSIS = 10

/** How many tokens a key with these limits may watch at a time. */
export const watchesFor = ({ analysis }: { analysis: number }): number => WATCHES_PER_ANALYSIS * analysis

/** What a service watches at most on one chain: their words take some 30 MB. */
export const MAX_WATCHED_TOKENS = 10_000

/** A watch that its owner forgot ends by itself. */
export const WATCH_MS = 30 * 24 * 3_600_000

/** Alerts are kept as long as a holiday lasts. */
export const ALERT_KEPT_MS = 14 * 24 * 3_600_000

/** What the service calls a watch; anything else is none, and no store is asked for it. */
export const isWatchId = (text: string): boolean => /^watch_[0-9a-f]{32}$/.test(text)
