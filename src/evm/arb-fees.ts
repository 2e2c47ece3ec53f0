import { brotliCompressSync, constants } from 'node:zlib'
import type { Address } from '../hex.js'

/**
 * What Arbitrum takes of a transaction for its data on L1, which its nodes count in gas: bytes left
 * under Brotli, sixteen units each, at a price that ArbOS keeps (OffchainLabs/nitro,
 * `arbos/l1pricing` and `arbos/storage`, read on 2026-11-23).
 */

/** The account whose storage is the state of ArbOS. */
export const ARBOS_STATE: Address = '0xa4b05fffffffffffffffffffffffffffffffffff'
/** Word 7 of the root, `brotliCompressionLevel`: keccak-256 of 31 zero bytes but for its end. */
const BROTLI_LEVEL_SLOT = 0x15fed0451499512d95f3ec5a41c878b9de55f21878b5b4e190d4667ec709b407n
/** Word 7 of the space of L1 prices, whose key is keccak-256 of one zero byte: `pricePerUnit`. */
const PRICE_SLOT = 0xa9f6f085d78d1d37c5819e5c16c9e03198bd14e08cd1f6f8191bc6207b9e9707n
export const ARBOS_SLOTS = [BROTLI_LEVEL_SLOT, PRICE_SLOT]

export interface ArbFees {
  brotliLevel: number
  /** Wei. */
  pricePerUnit: bigint
}

/** Reads what L1 costs now; `undefined` where ArbOS keeps no price. */
export function readArbFees(storage: (address: Address, slot: bigint) => bigint): ArbFees | undefined {
  const [level, pricePerUnit] = [storage(ARBOS_STATE, BROTLI_LEVEL_SLOT), storage(ARBOS_STATE, PRICE_SLOT)]
  if (pricePerUnit === 0n || level > MAX_LEVEL) return undefined
  return { brotliLevel: Number(level), pricePerUnit }
}

const MAX_LEVEL = 11n

/** Wei for a transaction, signed and encoded as it is sent: whole gas at the base fee. */
export function posterFee({ brotliLevel, pricePerUnit }: ArbFees, encoded: Uint8Array, baseFeePerGas: bigint): bigint {
  const { length } = brotliCompressSync(encoded, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: brotliLevel,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: encoded.length,
    },
  })
  const cost = BigInt(length) * UNITS_PER_BYTE * pricePerUnit
  return baseFeePerGas === 0n ? cost : cost - (cost % baseFeePerGas)
}

const UNITS_PER_BYTE = 16n
const WINDOW_BITS = 22
