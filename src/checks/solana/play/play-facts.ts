import type { SolanaAddress } from '../../../solana/address.js'
import type { AuthorityKind } from '../../../solana/authority.js'
import type { WindowLabel } from '../solana-windows.js'
import type { HookFacts } from './hook-facts.js'

/** One attempt to move tokens. */
export interface LegFacts {
  ok: boolean
  /** Base units that left, and that arrived. Zero when it failed. */
  sent: bigint
  received: bigint
  /** Share that went missing on the way, in basis points; 10,000 when it failed. */
  taxBps: number
  units: bigint
  /** Why it failed; empty otherwise. */
  reason: string
}

/** Legs of one size, each tried alone, from a fresh start. */
export interface SizeFacts {
  size: Size
  amount: bigint
  buy: LegFacts
  sell: LegFacts
}

/**
 * `dust` shows minimums, `large` (one percent of the vault) maximums, `plain` what people trade.
 */
export type Size = 'dust' | 'plain' | 'large'

/** Everything tried at one time. */
export interface WindowFacts {
  label: WindowLabel
  sizes: SizeFacts[]
  /** The sale of what was really bought at the beginning; absent when nothing could be bought. */
  held: LegFacts | undefined
  /** A real round trip on the exchange; absent when its program cannot be played. */
  swap: SwapFacts | undefined
}

/** A purchase and the sale of what it brought, on the exchange. */
export interface SwapFacts {
  buy: LegFacts
  sell: LegFacts
  /** What was paid and what came back, in base units of what the pool is priced in. */
  paid: bigint
  returned: bigint
  quoteMint: SolanaAddress
  /**
   * Share of what was paid that did not come back, in basis points: taxes, fees of the exchange and
   * its prices.
   */
  lossBps: number
}

export type PowerId = 'freeze' | 'mint' | 'seize' | 'pause' | 'raise-fee' | 'replace-hook'

/** A power that an account holds, and what using it on the fork did. */
export interface PowerFacts {
  id: PowerId
  holder: SolanaAddress
  kind: AuthorityKind
  /** It is an account of a program whose code no key can replace. */
  isFinal?: boolean
  /** The power was used on the fork, and did what it can do. */
  proven: boolean
  /** What happened, in words. */
  detail: string
}

/** What trading on the fork showed. Plain data, because it comes from a thread. */
export interface PlayFacts {
  trader: SolanaAddress
  /** Where tokens were bought from and sold to. */
  vault: { address: SolanaAddress; owner: SolanaAddress; amount: bigint; synthetic: boolean }
  /** What keeps the trader from even opening an account for the token; empty when nothing does. */
  accountReason: string
  windows: WindowFacts[]
  transfer: LegFacts
  powers: PowerFacts[]
  /**
   * What its hook's program decides by; absent without one, or where no plain sale goes through.
   */
  hook: HookFacts | undefined
  /** What the first plain purchase and sale looked like inside. */
  trace: TraceFacts
}

export interface TraceFacts {
  calls: CallFacts[]
  logs: { program: SolanaAddress; data: Uint8Array; dataBytes?: number }[]
  /** Calls, logs or data of them were cut, here or by the runtime. */
  isTruncated: boolean
  units: bigint
  /** Accounts of other programs than the tokens' own whose data a purchase or a sale changed. */
  moved: SolanaAddress[]
  /** A delegate over the trader's tokens that the trader did not ask for. */
  delegate: { address: SolanaAddress; amount: bigint } | undefined
}

export interface CallFacts {
  depth: number
  from: SolanaAddress
  program: SolanaAddress
  data: Uint8Array
  /** How long it had been, where it was cut. */
  dataBytes?: number
  failed: boolean
  /** Compute units: allowed and used. Programs that are part of the runtime do not say. */
  allowed: bigint
  used: bigint
}
