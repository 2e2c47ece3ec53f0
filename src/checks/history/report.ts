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

/** Whether a token is alive: the internal form of `checks.transactionHistoryResult`. A failed look-up is unknown, not dead. */
export interface HistoryReport {
  success: boolean
  activityPulse: ActivityPulse | undefined
  message: string
  /** Newest first. */
  recentTransfers: readonly TransferRecord[]
  symbol: string
  decimals: number | undefined
}
