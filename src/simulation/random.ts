import { keccak256 } from '../evm/keccak-words.js'
import { type Address, bytesToHex, type Hex, hexToBytes } from '../hex.js'

/**
 * Numbers that look random and come out the same for the same seed, in whatever order they are
 * asked for.
 */
export interface SeededRandom {
  /** A number from `min` to `max`, both included. `label` names the draw. */
  between(label: string, min: bigint, max: bigint): bigint
  address(label: string): Address
}

/**
 * `seed` must be unguessable for the author of the code under test: a contract that knows its
 * trader can behave for it alone.
 */
export function createSeededRandom(seed: Hex): SeededRandom {
  const start = hexToBytes(seed)
  const draw = (label: string) => keccak256(Buffer.concat([start, Buffer.from(label)]))
  return {
    between: (label, min, max) => min + (BigInt(bytesToHex(draw(label))) % (max - min + 1n)),
    address: (label) => bytesToHex(draw(label).subarray(12)),
  }
}
