import { createHash } from 'node:crypto'
import { viewOf } from './account.js'

const HEAD_BYTES = 8
const HASH_BYTES = 32
const ENTRY_BYTES = 8 + HASH_BYTES
/** The runtime keeps no more (solana-slot-hashes, `MAX_ENTRIES`). */
const MAX_ENTRIES = 512

/**
 * The account of recent slots and their hashes, so many slots later: as many entries, with hashes
 * that no program can have seen. Layout: count u64, then slot u64 and hash of each, newest first.
 */
export function laterSlotHashes(data: Uint8Array, slots: bigint): Uint8Array {
  if (slots === 0n || data.length < HEAD_BYTES) return data
  const later = Uint8Array.from(data)
  const view = viewOf(later)
  const fits = Math.floor((data.length - HEAD_BYTES) / ENTRY_BYTES)
  const count = Math.min(Number(view.getBigUint64(0, true)), fits, MAX_ENTRIES)
  const hashes = createHash('shake256', { outputLength: count * HASH_BYTES || 1 })
    .update(data)
    .update(String(slots))
    .digest()
  for (let i = 0; i < count; i += 1) {
    const at = HEAD_BYTES + i * ENTRY_BYTES
    view.setBigUint64(at, BigInt.asUintN(64, view.getBigUint64(at, true) + slots), true)
    later.set(hashes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES), at + 8)
  }
  return later
}
