import type { Address } from '../hex.js'
import type { Word } from '../instructions/word.js'

/**
 * Addresses that no contract can have met before this run, such as that of a trader who was drawn
 * at random. Storage under a key that was hashed from such an address is zero on the chain,
 * whatever the layout (Solidity, Vyper or a library's own), so that no node needs to be asked for
 * it.
 */
export interface Strangers {
  add(address: Address): void
  has(address: Address): boolean
  /**
   * Remembers the `size` bytes of `memory` that were hashed to `hash`, while there are strangers.
   */
  noteHash(memory: Uint8Array, start: number, size: number, hash: Word): void
  /** Whether `slot` is known to be unwritten because its key comes from a stranger's address. */
  owns(slot: Word): boolean
}

export function createStrangers(): Strangers {
  const addresses = new Map<Address, Buffer>()
  const preimages = new Map<Word, Buffer>()

  const isMade = (hash: Word, depth: number): boolean => {
    const preimage = preimages.get(hash)
    if (preimage === undefined || depth > MAX_NESTING) return false
    // Where a mapping's key stands: a crowd is some hundred strangers.
    if (addresses.has(`0x${preimage.toString('hex', 12, 32)}`)) return true
    for (const address of addresses.values()) if (preimage.includes(address)) return true
    for (let at = 0; at + 32 <= preimage.length; at += 32) {
      const word = BigInt(`0x${preimage.toString('hex', at, at + 32)}`)
      if (word > MAX_SMALL_WORD && isMade(word, depth + 1)) return true
    }
    return false
  }

  return {
    add: (address) => void addresses.set(address, Buffer.from(address.slice(2), 'hex')),
    has: (address) => addresses.has(address),
    noteHash(memory, start, size, hash) {
      if (addresses.size === 0 || size > MAX_PREIMAGE_BYTES || preimages.size >= MAX_PREIMAGES) return
      if (preimages.has(hash)) return
      preimages.set(hash, Buffer.from(memory.subarray(start, start + size)))
    },
    owns(slot) {
      if (addresses.size === 0 || typeof slot === 'number') return false
      for (let offset = 0n; offset < STRUCT_SLOTS; offset += 1n) if (isMade(slot - offset, 0)) return true
      return false
    },
  }
}

/** A mapping key is hashed from two words, or a few packed values. */
const MAX_PREIMAGE_BYTES = 128
/** A trade hashes some hundred keys; code that hashes without end is not remembered without end. */
const MAX_PREIMAGES = 20_000
/** Mappings of mappings of mappings. */
const MAX_NESTING = 4
/** A mapping's value may be a structure; its fields follow the key's hash. */
const STRUCT_SLOTS = 8n
/** Hashes are no small numbers, and the engine keeps small ones in another form. */
const MAX_SMALL_WORD = BigInt(Number.MAX_SAFE_INTEGER)
