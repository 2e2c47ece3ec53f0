import type { Chain } from '../chains/chain.js'
import { BaseError } from '../errors.js'
import type { DepositRequest, TransactionRequest } from '../evm/transaction.js'
import type { Address, Hex } from '../hex.js'

/** A block as it stands on its chain, with senders and EIP-7702 authorities recovered. */
export interface Block {
  chain: Chain
  header: Header
  transactions: readonly BlockTransaction[]
  /** EIP-4895; `amountGwei` is created, not moved. */
  withdrawals: readonly { address: Address; amountGwei: bigint }[]
  /** Headers that share in the reward of a block before the merge ("uncles"). */
  ommers: readonly { coinbase: Address; number: bigint }[]
}

/** What the block says of itself. Amounts in wei, time in seconds. */
export interface Header {
  number: bigint
  timestamp: bigint
  parentHash: Hex
  coinbase: Address
  gasLimit: bigint
  baseFeePerGas: bigint | undefined
  /** PREVRANDAO since the merge. */
  mixHash: Hex
  /** What the same opcode answered before. */
  difficulty: bigint
  excessBlobGas: bigint | undefined
  parentBeaconBlockRoot: Hex | undefined
  /** keccak-256 of the list of ommers in RLP; not in every file. */
  ommersHash: Hex | undefined
  gasUsed: bigint
  receiptsRoot: Hex
  stateRoot: Hex
  logsBloom: Hex | undefined
  /** On the OP Stack it says which of its own rules hold; not in every file. */
  extraData: Hex | undefined
}

/** `l1Fee` is what the OP Stack takes from the sender before the transaction runs, in wei. */
export type BlockTransaction =
  | { type: number; request: TransactionRequest; l1Fee: bigint }
  | { type: typeof DEPOSIT; deposit: DepositRequest }

/** The OP Stack's own type of transaction. */
export const DEPOSIT = 0x7e

/** The chain would not have this block, so it is not what it seems, or our rules are wrong. */
export class InvalidBlockError extends BaseError {
  override readonly name = 'InvalidBlockError'
  constructor(reason: string, cause?: unknown) {
    super(`Invalid block: ${reason}`, { cause, docs: 'docs/real-chain.md' })
  }
}
