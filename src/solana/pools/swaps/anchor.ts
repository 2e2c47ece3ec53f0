import { sha256 } from '@noble/hashes/sha2.js'

/**
 * The first eight bytes of an instruction's data in programs made with Anchor: of the hash of
 * "global:" and its name.
 */
export function anchorInstruction(name: string): Uint8Array {
  return sha256(new TextEncoder().encode(`global:${name}`)).slice(0, 8)
}

/** The least that a trader takes: the price is judged, not defended. */
export const MINIMUM_OUT = 1n
