import type { Chain } from '../chains/chain.js'
import type { BlockEnvironment } from '../evm/block-environment.js'
import { toPaddedHex } from '../hex.js'
import type { PinnedBlock } from '../state/state-source.js'

/** EIP-4844: the least a unit of blob gas costs, in wei. */
const MIN_BLOB_BASE_FEE = 1n
/**
 * EIP-7892 blob schedule of mainnet since BPO2 (2026-01-07): how slowly the blob fee follows the
 * excess.
 */
const BLOB_BASE_FEE_UPDATE_FRACTION = 11_684_671n
/**
 * What ArbOS answers for COINBASE outside delayed messages (Arbitrum documentation, "Solidity
 * differences").
 */
const ARBITRUM_COINBASE = '0xa4b000000000000000000073657175656e636572'
const ARBITRUM_PREV_RANDAO = toPaddedHex(1n, 32)

/** The environment of the block after `head`: the one a transaction sent now would land in. */
export function pendingBlock(chain: Chain, head: PinnedBlock): BlockEnvironment {
  const isL1Paced = chain.numberSource === 'l1'
  return {
    chainId: chain.id,
    number: isL1Paced ? (head.l1BlockNumber ?? head.number) : head.number + 1n,
    ...(isL1Paced && { l2Number: head.number + 1n }),
    timestamp: head.timestamp + wholeSeconds(chain.blockTimeMs),
    coinbase: isL1Paced ? ARBITRUM_COINBASE : head.coinbase,
    gasLimit: head.gasLimit,
    baseFeePerGas: head.baseFeePerGas,
    blobBaseFee: blobBaseFee(head.excessBlobGas),
    prevRandao: isL1Paced ? ARBITRUM_PREV_RANDAO : head.prevRandao,
  }
}

/**
 * Moves time and height together, at the chain's own pace, so that a trap which counts blocks sees
 * them pass.
 */
export function travel(chain: Chain, block: BlockEnvironment, ms: number): BlockEnvironment {
  return {
    ...block,
    number: block.number + BigInt(Math.floor(ms / chain.numberTimeMs)),
    ...(block.l2Number !== undefined && { l2Number: block.l2Number + BigInt(Math.floor(ms / chain.blockTimeMs)) }),
    timestamp: block.timestamp + wholeSeconds(ms),
  }
}

/**
 * The block that the same person's next transaction lands in: later, and never under the same
 * NUMBER.
 */
export function nextBlock(chain: Chain, block: BlockEnvironment): BlockEnvironment {
  return travel(chain, block, Math.max(chain.numberTimeMs, MIN_HUMAN_PAUSE_MS))
}

/**
 * No person confirms two transactions in a wallet faster than this; on fast chains several blocks
 * go by.
 */
const MIN_HUMAN_PAUSE_MS = 2_000

/** Timestamps are whole seconds, and a later block never has an earlier one. */
function wholeSeconds(ms: number): bigint {
  return BigInt(Math.max(1, Math.round(ms / 1_000)))
}

/**
 * EIP-4844's `fake_exponential(1, excess, fraction)`. Bounded: the terms shrink as soon as `i`
 * passes the exponent.
 */
function blobBaseFee(excessBlobGas: bigint | undefined): bigint {
  if (excessBlobGas === undefined) return MIN_BLOB_BASE_FEE
  let sum = 0n
  let term = MIN_BLOB_BASE_FEE * BLOB_BASE_FEE_UPDATE_FRACTION
  for (let i = 1n; term > 0n && i < MAX_BLOB_FEE_TERMS; i += 1n) {
    sum += term
    term = (term * excessBlobGas) / (BLOB_BASE_FEE_UPDATE_FRACTION * i)
  }
  return sum / BLOB_BASE_FEE_UPDATE_FRACTION
}

/** An honest header needs some dozens; a lying one must not hold us. */
const MAX_BLOB_FEE_TERMS = 1_000n
