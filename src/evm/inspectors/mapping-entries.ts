import { bytesToHex } from '../../hex.js'
import { WORD } from './followed-memory.js'
import type { MappingEntry, Term } from './term.js'

/** Preimages of mapping slots that are remembered. */
const MAX_ENTRIES = 10_000
/** Words of one record in a mapping that are told to be of it. */
const MAX_OFFSET = 8
/** Smaller slots are numbers that compilers give. */
const LEAST_HASH = 1n << 64n

/** Which entry of which mapping a slot is, by the hashes that were computed so far. */
export class MappingEntries {
  readonly #entries = new Map<bigint, MappingEntry>()

  at(slot: bigint): MappingEntry | undefined {
    return this.#entries.get(slot)
  }

  /** The record that the word is a later part of. */
  around(slot: bigint): { entry: MappingEntry; offset: number } | undefined {
    if (slot < LEAST_HASH || this.#entries.size === 0) return undefined
    for (let offset = 1; offset <= MAX_OFFSET; offset += 1) {
      const entry = this.#entries.get(slot - BigInt(offset))
      if (entry) return { entry, offset }
    }
    return undefined
  }

  /**
   * The slot is the hash of these bytes: of a key and the place of the mapping, which may be an
   * entry (Solidity; Vyper has the place first), or of one or two addresses packed beside a seed,
   * as hand-written libraries do (Solady's ERC-20: owner, seed; owner, seed, spender). `term` is
   * how the first word was computed.
   */
  add(slot: bigint, bytes: Uint8Array, term?: Term): void {
    if (this.#entries.size >= MAX_ENTRIES) return
    const entry = bytes.length === 2 * WORD ? this.#ofWords(bytes, term) : ofPacked(bytes)
    if (entry) this.#entries.set(slot, entry)
  }

  #ofWords(bytes: Uint8Array, term: Term | undefined): MappingEntry {
    const [first, second] = [toNumber(bytes, 0, WORD), toNumber(bytes, WORD, WORD)]
    const isPlaceFirst = isAddress(second) && (first < LEAST_HASH || this.#entries.has(first))
    if (isPlaceFirst) return this.#within({ key: second, place: first })
    return this.#within({ key: first, place: second, ...(term && { term }) })
  }

  #within(entry: MappingEntry): MappingEntry {
    const within = this.#entries.get(entry.place)
    return within === undefined ? entry : { ...entry, within }
  }
}

const ADDRESS_BYTES = 20
/** A seed, and room for two addresses around it. */
export const MAX_KEY_BYTES = 2 * ADDRESS_BYTES + WORD

/** Numbers that tokens count with are smaller. */
const isAddress = (value: bigint) => value >> 96n !== 0n && value >> 160n === 0n

function toNumber(bytes: Uint8Array, at: number, length: number): bigint {
  return length === 0 ? 0n : BigInt(bytesToHex(bytes.subarray(at, at + length)))
}

/** What is left beside the addresses is the seed: a small number, or they are bytes of a hash. */
function ofPacked(bytes: Uint8Array): MappingEntry | undefined {
  const { length } = bytes
  if (length < ADDRESS_BYTES) return undefined
  const end = length - ADDRESS_BYTES
  const [first, last] = [toNumber(bytes, 0, ADDRESS_BYTES), toNumber(bytes, end, ADDRESS_BYTES)]
  const [seedOfFirst, seedOfLast] = [toNumber(bytes, ADDRESS_BYTES, end), toNumber(bytes, 0, end)]
  if (end >= ADDRESS_BYTES && isAddress(first) && isAddress(last)) {
    const seed = toNumber(bytes, ADDRESS_BYTES, end - ADDRESS_BYTES)
    if (seed < LEAST_HASH) return { key: last, place: first, within: { key: first, place: seed } }
  }
  if (isAddress(first) && seedOfFirst < LEAST_HASH) return { key: first, place: seedOfFirst }
  return isAddress(last) && seedOfLast < LEAST_HASH ? { key: last, place: seedOfLast } : undefined
}
