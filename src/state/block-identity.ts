import type { Chain } from '../chains/chain.js'
import type { Hex } from '../hex.js'
import { toPaddedHex } from '../hex.js'
import type { BlockHeader } from '../rpc/block-header.js'
import type { PinnedBlock } from './state-source.js'

/** Which block an answer was computed on, as the EVM that computed it saw it. */
export interface BlockIdentity {
  chainId: bigint
  number: bigint
  timestamp: bigint
  parentHash: Hex
  /** Arbitrum's own height; 0 elsewhere. */
  arbitrumNumber: bigint
}

/**
 * Whether both are the same block. The parent's hash decides, together with the time; on Arbitrum,
 * where NUMBER and BLOCKHASH follow L1, the height of ArbSys takes its place.
 */
export function isSameBlock(chain: Chain, block: PinnedBlock, seen: BlockIdentity): boolean {
  if (seen.chainId !== BigInt(chain.id) || seen.timestamp !== block.timestamp) return false
  if (seen.number !== (block.l1BlockNumber ?? block.number)) return false
  if (chain.numberSource === 'l1') return seen.arbitrumNumber === 0n || seen.arbitrumNumber === block.number
  return seen.parentHash === block.parentHash
}

export function toPinnedBlock(chainId: number, header: BlockHeader): PinnedBlock {
  const { number, hash, parentHash, timestamp, miner, gasLimit, baseFeePerGas, mixHash, excessBlobGas, l1BlockNumber } =
    header
  const { slotNumber } = header
  return {
    chainId,
    number,
    hash,
    parentHash,
    timestamp,
    coinbase: miner,
    gasLimit,
    baseFeePerGas: baseFeePerGas ?? 0n,
    prevRandao: mixHash ?? toPaddedHex(0n, 32),
    excessBlobGas,
    l1BlockNumber,
    ...(slotNumber !== undefined && { slotNumber }),
  }
}
