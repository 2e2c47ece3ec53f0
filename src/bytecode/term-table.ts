import type { Taint, Term } from './terms.js'

/** Places in the table of terms at the start; doubled while more than half are taken. */
const FIRST_TABLE_SIZE = 1 << 11

/**
 * A number for the parts of a term; small differences spread (the multiplier is that of Knuth's
 * multiplicative hashing).
 */
export function hashTerm(op: string, args: readonly Term[], value: bigint, width: number, taint: Taint): number {
  let hash = op.length * 31 + op.charCodeAt(0) + (op.charCodeAt(op.length - 1) << 7) + width
  hash = Math.imul(hash ^ taint.id, 0x9e3779b1)
  for (const arg of args) hash = Math.imul((hash ^ arg.id) + (hash >>> 15), 0x9e3779b1)
  if (value !== 0n) hash = Math.imul((hash ^ Number(value & 0x3fffffffn)) + (hash >>> 15), 0x9e3779b1)
  return hash ^ (hash >>> 13)
}

interface TermTable {
  find(hash: number, op: string, args: readonly Term[], value: bigint, width: number, taint: Taint): Term | undefined
  add(hash: number, term: Term): void
}

/** A hash table with open addressing: no key has to be built to look a term up. */
export function createTermTable(): TermTable {
  let places: (Term | undefined)[] = new Array(FIRST_TABLE_SIZE).fill(undefined)
  let hashes = new Int32Array(FIRST_TABLE_SIZE)
  let count = 0

  const insert = (hash: number, term: Term) => {
    let at = hash & (places.length - 1)
    while (places[at] !== undefined) at = (at + 1) & (places.length - 1)
    places[at] = term
    hashes[at] = hash
  }
  const grow = () => {
    const [oldPlaces, oldHashes] = [places, hashes]
    places = new Array(oldPlaces.length * 2).fill(undefined)
    hashes = new Int32Array(places.length)
    oldPlaces.forEach((term, at) => {
      if (term !== undefined) insert(oldHashes[at] ?? 0, term)
    })
  }
  return {
    find(hash, op, args, value, width, taint) {
      const mask = places.length - 1
      for (let at = hash & mask; ; at = (at + 1) & mask) {
        const term = places[at]
        if (term === undefined) return undefined
        if (hashes[at] !== hash) continue
        if (term.op === op && term.taint === taint && term.width === width && sameArgs(term.args, args)) {
          if (term.value === value) return term
        }
      }
    },
    add(hash, term) {
      insert(hash, term)
      count += 1
      if (count * 2 > places.length) grow()
    },
  }
}

function sameArgs(a: readonly Term[], b: readonly Term[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false
  return true
}
