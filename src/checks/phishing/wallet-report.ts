import type { Address, Hex } from '../../hex.js'
import type { PhishingSeverity, PhishingVerdict } from './phishing-report.js'

/** What a token says of itself; untrusted. */
export interface TokenWords {
  symbol: string
  name: string
  /** Absent where it does not say, and for NFTs. */
  decimals: number | undefined
}

/** Something that changes hands. */
export interface Transfer {
  /** Absent: the native coin. */
  token: Address | undefined
  /** Base units; 1 for an NFT. */
  amount: bigint
  id: bigint | undefined
  counterparty: Address | undefined
}

export type Movement = Transfer & TokenWords

/** A right to take, or, for `delegation`, to be the code of the account. */
export interface Right {
  kind: 'erc20' | 'nft' | 'permit2' | 'permit' | 'order' | 'transfer' | 'delegation'
  /** Absent where all is meant, or the request does not say. */
  token: Address | undefined
  spender: Address
  /** Base units; absent for all that there is and will be. */
  amount: bigint | undefined
  /** Number of the one NFT that it is for. */
  id: bigint | undefined
  /** Seconds since 1970. */
  expires: bigint | undefined
}

export type Approval = Right & TokenWords

/** One call as it was played. */
export interface PlayedCall {
  from: Address
  to: Address
  /** Wei. */
  value: bigint
  selector: Hex
  success: boolean
  errorReason: string
}

/** What a wallet should say before it asks for consent. */
export interface WalletWarning {
  /** Stable name, explained in `docs/wallet.md`. */
  id: WalletWarningId
  severity: PhishingSeverity
  text: string
}

export type WalletWarningId =
  | 'unlimited'
  | 'operator'
  | 'no-end'
  | 'order'
  | 'witness'
  | 'signed-transfer'
  | 'delegation'
  | 'every-chain'
  | 'other-chain'
  | 'foreign-code'
  | 'refund'
  | 'account-changed'
  | 'takes-all'
  | 'no-code'
  | 'failed'
  | 'unknown-message'

/** What a wallet is asked to do, taken apart. */
export interface WalletReport {
  kind: 'transaction' | 'signature'
  account: Address | undefined
  /** Absent where nothing was played. */
  success: boolean | undefined
  errorReason: string
  calls: readonly PlayedCall[]
  leaves: readonly Movement[]
  arrives: readonly Movement[]
  approvals: readonly Approval[]
  spenders: readonly { address: Address; verdict: PhishingVerdict; riskScore: number; reason: string | undefined }[]
  warnings: readonly WalletWarning[]
}
