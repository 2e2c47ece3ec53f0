import type { Address } from '../../hex.js'
import type { PhishingVerdict } from './phishing-report.js'

/** Something that changes hands. */
export interface Movement {
  /** Absent: the native coin. */
  token: Address | undefined
  symbol: string
  /** Base units; 1 for an NFT. */
  amount: bigint
  id: bigint | undefined
  counterparty: Address | undefined
}

/** A right to take. */
export interface Approval {
  kind: 'erc20' | 'nft' | 'permit2' | 'permit' | 'order'
  token: Address | undefined
  spender: Address
  /** Base units; absent for all that there is and will be. */
  amount: bigint | undefined
  /** Seconds since 1970. */
  expires: bigint | undefined
}

/** What a wallet is asked to do, taken apart. */
export interface WalletReport {
  kind: 'transaction' | 'signature'
  account: Address | undefined
  /** Absent for signatures. */
  success: boolean | undefined
  errorReason: string
  leaves: readonly Movement[]
  arrives: readonly Movement[]
  approvals: readonly Approval[]
  spenders: readonly { address: Address; verdict: PhishingVerdict; riskScore: number; reason: string | undefined }[]
}
