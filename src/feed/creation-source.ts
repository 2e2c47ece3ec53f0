import type { MadeAccounts } from '../solana/rpc/transaction-methods.js'
import type { MarketRange, MarketSource } from './market-source.js'

/** Where the transactions of Solana are found that may have made a pool. */
export interface CreationSource extends Pick<MarketSource, 'reach'> {
  /**
   * Those of a range, and how many there are beside them; `undefined` where that is not known.
   * Rejects where they cannot be read now.
   */
  read(range: MarketRange): Promise<{ made: MadeAccounts[]; leftOut: number | undefined }>
}

/**
 * Transactions that one look looks into. Each has a bounded number of accounts that may be pools:
 * twenty calls for them at most, in a flood.
 */
export const MAX_TRANSACTIONS = 48
