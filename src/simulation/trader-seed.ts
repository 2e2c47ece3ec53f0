import { createHmac } from 'node:crypto'
import { type Hex, hexToBytes } from '../hex.js'

/**
 * What all invented people of a block come from: a keyed hash of chain and block. It cannot be
 * foreseen before the block is there, and then the block's state is fixed, so that a report may
 * name it (docs/decisions/reports.md).
 */
export function traderSeedAt(secret: Uint8Array, chainId: number, blockHash: string): Hex {
  return keyedHash(secret, `${chainId}:${blockHash}`)
}

/** The seed of one scenario about `subject`: different for each, and of no use to guess another. */
export function seedFor(traderSeed: Hex, subject: string): Hex {
  return keyedHash(hexToBytes(traderSeed), subject)
}

function keyedHash(key: Uint8Array, text: string): Hex {
  return `0x${createHmac('sha256', key).update(text).digest('hex')}`
}
