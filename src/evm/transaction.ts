import type { Address, Hex } from '../hex.js'
import type { Log } from './inspector.js'

export interface AccessListEntry {
  address: Address
  storageKeys: Hex[]
}

/** An EIP-7702 authorisation whose signer is already recovered. */
export interface Authorization {
  chainId: bigint
  address: Address
  nonce: bigint
  /** `undefined`: the signature was not valid, so the tuple is skipped but still paid for. */
  authority: Address | undefined
}

/** A transaction as its sender would sign it. Amounts in wei. */
export interface TransactionRequest {
  from: Address
  /** Absent for a contract creation. */
  to?: Address
  value?: bigint
  data?: Hex
  gasLimit: bigint
  /** Legacy and EIP-2930 price. Either this or `maxFeePerGas`. */
  gasPrice?: bigint
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
  /** Absent: the sender's current nonce. */
  nonce?: bigint
  accessList?: AccessListEntry[]
  authorizationList?: Authorization[]
  blobVersionedHashes?: Hex[]
  maxFeePerBlobGas?: bigint
}

/** What the OP Stack's own transactions (type 0x7e) ask for. Amounts in wei. */
export interface DepositRequest {
  from: Address
  /** Absent for a contract creation. */
  to?: Address | undefined
  /** Given to the sender before all else, and kept if the rest fails. */
  mint?: bigint
  value?: bigint
  data?: Hex
  gasLimit: bigint
}

export interface TransactionResult {
  /**
   * `revert`: the code said so and the rest of the gas came back. `halt`: out of gas, bad opcode
   * and the like.
   */
  status: 'success' | 'revert' | 'halt'
  /** What the sender paid for, after refunds and the calldata floor (EIP-3529, EIP-7623). */
  gasUsed: bigint
  /** Return data, or revert data. The new address's code for a creation. */
  output: Hex
  /** Geth's words for the failure (`execution reverted`, `out of gas`); absent on success. */
  error?: string
  /** The decoded `Error(string)` or `Panic(uint256)` of a revert. */
  revertReason?: string
  createdAddress?: Address
  /** Logs in order; empty unless `status` is `success`. */
  logs: Log[]
}
