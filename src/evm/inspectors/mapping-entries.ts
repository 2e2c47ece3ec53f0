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

  /** The slot is the hash of this key and of the place of the mapping, which may be an entry. */
  add(slot: bigint, { value: key }: Term, place: bigint, term?: Term): void {
    if (this.#entries.size >= MAX_ENTRIES) return
    const within = this.#entries.get(place)
    this.#entries.set(slot, { key, place, ...(term && { term }), ...(within && { within }) })
  }
}
