import type { SolanaAddress } from '../../../solana/address.js'

/** What can be otherwise in a sale. */
export type HookMover = 'time' | 'amount' | 'seller' | 'coins' | 'repetition' | 'balance' | 'data'

/** Something a hook decides by, that was brought about, and a sale then tried. */
export interface HookCondition {
  by: HookMover
  /** Seconds from now on, where time is part of it; nil otherwise. */
  afterSeconds: number
  /** What was sold, in base units. */
  amount: bigint
  /** Whose data it was, where it was put there. */
  account: SolanaAddress | undefined
  /** Share of the sale that is lost, in basis points; 10,000 when it fails. */
  lossBps: number
  reason: string
}

/** What was learned from a hook's program about sales. */
export interface HookFacts {
  /** Whether all that its decisions on a sale hang on was read and played. */
  isExplained: boolean
  /** What was not, in words. */
  unread: string[]
  /** Decisions on something outside the program that were met. */
  decisions: number
  /** Those that, brought about, harm a sale. */
  harmful: HookCondition[]
}
