import type { Address, Hex } from '../../hex.js'

export type ActivityPulse = 'Very Active' | 'Active' | 'Low Activity' | 'Dead / No Activity'

/** A `Transfer` event of the token. */
export interface TransferRecord {
  hash: Hex
  from: Address
  to: Address
  /** Base units. */
  value: bigint
  blockNumber: bigint
  logIndex: number
  /** Seconds since 1970. */
  timestamp: number
}

/** What happened in one stretch of time that ends at the judged block. */
export interface Activity {
  transfers: number
  /**
   * Distinct accounts; mints have no sender, burns no receiver. Of an estimate only those that were
   * seen: there are at least so many.
   */
  senders: number
  receivers: number
  /** Transfers out of and into the judged pool; `undefined` where no pool was found. */
  buys: number | undefined
  sells: number | undefined
  /**
   * Worked out from a part of that time, because the node did not give all of it or there was too
   * much.
   */
  isEstimate: boolean
}

/** Something that makes a token look more alive, or more wanted, than it is. */
export interface MakeBelieve {
  id: 'zero-value-transfers' | 'look-alike-addresses' | 'one-sender' | 'few-accounts' | 'no-balance-change'
  description: string
}

/** What the read transfers tell beyond the pulse. */
export interface HistorySummary {
  day: Activity
  week: Activity
  /**
   * Transfers in each of the last 24 hours, oldest first; `undefined` for an hour that was not read
   * whole.
   */
  hours: readonly (number | undefined)[]
  /** Of all transfers that were read; base units. */
  volume: bigint
  accounts: number
  /** Seconds since 1970; `undefined`: none was read. */
  lastTransfer: number | undefined
  /** Time of the first mint, if the reading goes back beyond it and nothing came before. */
  firstMint: number | undefined
  makeBelieve: readonly MakeBelieve[]
}

/**
 * Whether a token is alive: the internal form of `checks.transactionHistoryResult`. A failed
 * look-up is unknown, not dead.
 */
export interface HistoryReport {
  success: boolean
  activityPulse: ActivityPulse | undefined
  message: string
  /** Newest first. */
  recentTransfers: readonly TransferRecord[]
  summary: HistorySummary
  symbol: string
  decimals: number | undefined
}
