import type { Address, Hex } from '../../hex.js'
import type { Right, Transfer, WalletWarning } from './wallet-report.js'

/** A call that follows from what a wallet is asked for. */
export interface PlannedCall {
  /** Absent: the wallet's own account. */
  from: Address | undefined
  to: Address
  /** Wei. */
  value: bigint
  data: Hex
  /** `true`: the code of `to` runs as the caller's own. */
  isDelegated: boolean
}

/** What a signature would allow, as far as the kind of its message is known. */
export interface SignedIntent {
  /** Who signs, or for which account, where the message says so. */
  signer: Address | undefined
  approvals: readonly Right[]
  /** What the signer would give, and have for it, once another account makes use of it. */
  leaves: readonly Transfer[]
  arrives: readonly Transfer[]
  /** A sale for next to nothing: what the signer would get, in words. */
  zeroPrice: string | undefined
  /** What the message has an account do. */
  plays: readonly PlannedCall[]
  warnings: readonly WalletWarning[]
  /** `false`: what such a message means is not known here. */
  isKnown: boolean
  /** The message has more parts than are read. */
  isCut: boolean
}

export const NOTHING_SIGNED: SignedIntent = {
  signer: undefined,
  approvals: [],
  leaves: [],
  arrives: [],
  zeroPrice: undefined,
  plays: [],
  warnings: [],
  isKnown: true,
  isCut: false,
}

export const NOT_UNDERSTOOD: SignedIntent = { ...NOTHING_SIGNED, isKnown: false }
