import { blobBaseFeeAt } from '../chains/blob-fee.js'
import type { Chain } from '../chains/chain.js'
import { type Address, type Hex, toPaddedHex } from '../hex.js'
import type { PinnedBlock } from '../state/state-source.js'

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
  /** What SLOTNUM answers (EIP-7843); absent where the header has none. */
  slotNumber?: bigint | undefined
}

type BlockFacts = Pick<
  PinnedBlock,
  | 'number'
  | 'timestamp'
  | 'coinbase'
  | 'gasLimit'
  | 'baseFeePerGas'
  | 'prevRandao'
  | 'excessBlobGas'
  | 'l1BlockNumber'
  | 'slotNumber'
>

/** What code in this very block sees. */
export function environmentOf(chain: Chain, block: BlockFacts): BlockEnvironment {
  const { number, timestamp, coinbase, gasLimit, baseFeePerGas, prevRandao, excessBlobGas, l1BlockNumber, slotNumber } =
    block
  const isL1Paced = chain.numberSource === 'l1'
  return {
    chainId: chain.id,
    number: isL1Paced ? (l1BlockNumber ?? number) : number,
    ...(isL1Paced && { l2Number: number }),
    timestamp,
    coinbase: isL1Paced ? ARBITRUM_COINBASE : coinbase,
    gasLimit,
    baseFeePerGas,
    blobBaseFee: blobBaseFeeAt(chain, timestamp, excessBlobGas),
    prevRandao: isL1Paced ? ARBITRUM_PREV_RANDAO : prevRandao,
    ...(slotNumber !== undefined && { slotNumber }),
  }
}

/**
 * What ArbOS answers for COINBASE outside delayed messages (Arbitrum documentation, "Solidity
 * differences").
 */
const ARBITRUM_COINBASE = '0xa4b000000000000000000073657175656e636572'
const ARBITRUM_PREV_RANDAO = toPaddedHex(1n, 32)
