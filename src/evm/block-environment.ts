import type { Address, Hex } from '../hex.js'

/** What the block opcodes answer. Amounts in wei, time in seconds. */
export interface BlockEnvironment {
  chainId: number
  /** What NUMBER answers; on Arbitrum an estimate of the L1 height. */
  number: bigint
  /** Arbitrum only: the height of the chain itself, which contracts there ask ArbSys for. */
  l2Number?: bigint
  timestamp: bigint
  coinbase: Address
  gasLimit: bigint
  baseFeePerGas: bigint
  /** What BLOBBASEFEE answers; at least 1 where the chain has blobs (EIP-4844). */
  blobBaseFee: bigint
  prevRandao: Hex
}
