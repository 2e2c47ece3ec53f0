import { viewOf } from '../account.js'

/** One extension of a Token-2022 mint or account. */
export interface TlvEntry {
  type: number
  value: Uint8Array
}

export interface TlvList {
  entries: TlvEntry[]
  /**
   * The list is not what the token program writes: cut short, too long, or with an extension twice.
   * What was read before is kept.
   */
  malformed: boolean
}

/**
 * Where extensions begin: after the longest account without them, and the byte that says what kind
 * of account it is.
 */
export const TLV_START = 166
/** More extensions than this has no honest account: the program knows 30. */
const MAX_ENTRIES = 64

/**
 * Reads the extensions behind the fixed part (type u16, length u16, value; type 0 ends the list).
 * Written by an adversary: lengths are never trusted, and an entry that runs past the end is not
 * read.
 */
export function readTlv(data: Uint8Array): TlvList {
  const entries: TlvEntry[] = []
  const seen = new Set<number>()
  const view = viewOf(data)
  let at = TLV_START
  while (at < data.length) {
    // Fewer bytes than a type takes can only be padding.
    if (at + 2 > data.length) return { entries, malformed: data[at] !== 0 }
    const type = view.getUint16(at, true)
    if (type === 0) return { entries, malformed: data.subarray(at).some((byte) => byte !== 0) }
    if (at + 4 > data.length || entries.length >= MAX_ENTRIES) return { entries, malformed: true }
    const end = at + 4 + view.getUint16(at + 2, true)
    if (end > data.length || seen.has(type)) return { entries, malformed: true }
    seen.add(type)
    entries.push({ type, value: data.subarray(at + 4, end) })
    at = end
  }
  return { entries, malformed: false }
}
