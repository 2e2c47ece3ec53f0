import type { Address } from '../../hex.js'

/** How a holder came into the sample. */
export type HolderRole = 'recent-buyer' | 'largest' | 'oldest'

/** A holder that has, or should have, the token. */
export interface Candidate {
  address: Address
  role: HolderRole
  /** Base units that came in, by the token's events, in the time that was read. */
  received: bigint
  /** Whether any of it was sent on, by the same events. */
  hasSent: boolean
  /** When it came in first, in seconds since 1970. */
  since: number
}

/** What became of one holder's attempt to sell. */
export interface HolderSell extends Candidate {
  /**
   * `gone`: the events say that it bought and never sent, and it has nothing. `contract`: has code
   * of its own and was not tried. `noted`: barred by what the token noted of it when it was
   * created, and notes of no one else.
   */
  outcome: 'sold' | 'refused' | 'noted' | 'gone' | 'contract' | 'empty'
  balance: bigint
  /** Basis points; `undefined` where the pool kept no account, or nothing was sold. */
  taxBps: number | undefined
  /** Why it was refused; empty otherwise. */
  reason: string
}

/** What has the token and is no person. */
export interface Place {
  address: Address
  kind: 'pool' | 'token' | 'burnt'
  /** Base units. */
  balance: bigint
}

/** One who has some of it, as far as the transfers of a week show. */
export interface KnownHolder {
  address: Address
  kind: Place['kind'] | 'account' | 'contract'
  balance: bigint
  /** Of all there are, in basis points with fractions; `undefined` where the token does not say. */
  shareBps: number | undefined
  /** What came of a sale as that account; `undefined` where none was tried. */
  sale: 'sold' | 'ruined' | 'refused' | undefined
}

/** Whether real holders can sell: the internal form of `holderAnalysis`. */
export interface HolderAnalysis {
  /** Distinct accounts among the transfers that were read. */
  holders: number
  /** Those that were acted as. */
  tested: number
  /** Sells that left more than half of what they were worth. */
  successful: number
  /** Sells that went through and took half of it or more: no better than a refusal. */
  ruined: number
  /** Sells that were refused. */
  failed: number
  /** Accounts whose tokens went away without a transfer of theirs. */
  siphoned: number
  /**
   * Of the sells that went through, the ruined among them; `undefined` where none could be
   * measured.
   */
  averageTaxBps: number | undefined
  highestTaxBps: number | undefined
  /** The most frequent first. */
  reasons: readonly { reason: string; count: number }[]
  /**
   * What those who cannot sell have in common; `undefined` where nothing was found, or none is
   * refused.
   */
  distinction: string | undefined
  /** Those that were looked at and have any, who has most first. */
  known: readonly KnownHolder[]
  /** Why it may lack something; `undefined` when it is complete. */
  unfinished: string | undefined
}
