import type { CallFrame } from '../../evm/inspector.js'
import type { Address, Hex } from '../../hex.js'

/** The three checks of the specification. */
export type PhishingCheck = 'allowance' | 'permit' | 'native'

/** What was seen to happen, by its name in `docs/phishing.md`. */
export type PhishingFindingId =
  | 'allowance-puller'
  | 'permit2-puller'
  | 'nft-puller'
  | 'guarded-executor'
  | 'approve-first-claim'
  | 'token-side-drain'
  | 'permit-puller'
  | 'payable-forwarder'
  | 'receive-sweeper'
  | 'delegation-sweeper'
  | 'withdraw-bait'
  | 'late-lock'
  | 'exit-switch'
  | 'deposit-taker'
  | 'announced-taker'
  | 'skimmed-exchange'
  | 'counterfeit-events'
  | 'lure-text'
  | 'open-executor'
  | 'exposed-approvals'
  | 'donation'
  | 'operator-is-contract'
  | 'wallet-module'
  | 'module-taker'
  | 'module-master'
  | 'hidden-operator'
  | 'signed-order'
  | 'secret-puller'
  | 'spender-phishing'
  | 'counterfactual-spender'
  | 'signed-permission'
  | 'zero-price-order'
  | 'open-delegation'
  | 'unclaimed-account'
  | 'wallet-takeover'
  | 'wallet-drain'

export interface PhishingFinding {
  id: PhishingFindingId
  /** The check that this proves; absent for what only tells something. */
  check: PhishingCheck | undefined
  /** Function that was called; absent for plain receipt and the fallback. */
  selector: Hex | undefined
  /**
   * Who did it: any address, a privileged account, an account on a list, the victim at the
   * invitation of the contract, or the wallet that asked.
   */
  by: 'anyone' | 'holder' | 'listed' | 'victim' | 'wallet'
  /** Absent where no call was needed. */
  caller: Address | undefined
  /** Absent: the native coin, or nothing at all. */
  asset: { token: Address; symbol: string; decimals: number | undefined; kind: 'erc20' | 'nft' | 'multi' } | undefined
  /** Base units, or wei. */
  amount: bigint | undefined
  to: Address | undefined
  /** The accounts that the victim's signature let take. */
  grantedTo: Address | undefined
  trace: CallFrame | undefined
  /** Functions that were called one after the other, where several were needed. */
  steps?: readonly Hex[]
  /** The function by which the contract takes what its users approve, where that is the point. */
  invitedBy?: Hex | undefined
  /** Untrusted words of the contract, where they are the finding. */
  text: string | undefined
}

/** Everything that was seen of one address. */
export interface PhishingFacts {
  /** `empty`: no code. `account`: delegates by EIP-7702. */
  kind: 'empty' | 'account' | 'contract'
  /** Without code, coins and transactions: this address was not used yet. */
  isUnused: boolean
  delegate: Address | undefined
  findings: readonly PhishingFinding[]
  /** Why something stayed unseen, in words for a client. */
  gaps: readonly string[]
  /** What was left out by a bound that many honest contracts meet as well: the verdict stands. */
  omitted?: string | undefined
  /** Calls that were tried. */
  plays: number
}
