import { foldTerm, widthOf } from './fold.js'
import type { Word } from './memory.js'
import type { Term, TermStore } from './terms.js'

const BYTES = 32
/** Bytes of call data that name the function. */
export const SELECTOR_BYTES = 4
const ones = (bits: number) => (1n << BigInt(bits)) - 1n

/** Some bytes of a stored word, and where they lie in the word that is read. */
interface Piece {
  term: Term
  /** Bits of the stored word, counted from the lowest. */
  low: number
  high: number
  /** Where the lowest of them lies in the word that is read. */
  at: number
}

/**
 * The word at `offset`, which stored words overlap that begin elsewhere: an address that was stored
 * twelve bytes further up lies between the zeros of its neighbours (Solady's way to write call
 * data). `undefined` where not all of its bytes are known, or more than one of the stored words has
 * a part in it.
 */
export function composeWord(store: TermStore, words: readonly Word[], offset: number): Term | undefined {
  const pieces: Piece[] = []
  let covered = 0
  for (const { offset: place, term, from, to } of words) {
    const [start, end] = [Math.max(place + from - offset, 0), Math.min(place + to - offset, BYTES)]
    if (start >= end) continue
    if (start !== covered) return undefined
    covered = end
    const [first, last] = [start + offset - place, end + offset - place]
    pieces.push({ term, low: 8 * (BYTES - last), high: 8 * (BYTES - first), at: 8 * (BYTES - end) })
  }
  if (covered !== BYTES) return undefined
  const [piece, other] = pieces.filter((each) => !isZero(each))
  if (piece === undefined) return store.constant(0n)
  return other === undefined ? place(store, piece) : undefined
}

/** The first four bytes at `offset`, as a number, where one stored word holds all of them. */
export function readFourBytes(store: TermStore, words: readonly Word[], offset: number): Term | undefined {
  const word = words.find(
    ({ offset: place, from, to }) => place + from <= offset && place + to >= offset + SELECTOR_BYTES,
  )
  if (word === undefined) return undefined
  const below = 8 * (BYTES - SELECTOR_BYTES - (offset - word.offset))
  const shifted = foldTerm(store, 'SHR', [store.constant(BigInt(below)), word.term])
  return offset === word.offset ? shifted : foldTerm(store, 'AND', [shifted, store.constant(0xffffffffn)])
}

/** Whether none of these bits of the stored word is ever set. */
function isZero({ term, low, high }: Piece): boolean {
  const { op, args, value } = term
  const isUnset = (bits: bigint) => ((bits >> BigInt(low)) & ones(high - low)) === 0n
  if (op === 'const') return isUnset(value)
  if (widthOf(term) <= low) return true
  const [a, b] = args
  if (op === 'AND') return [a, b].some((part) => part?.op === 'const' && isUnset(part.value))
  return op === 'SHL' && a?.op === 'const' && a.value >= BigInt(high)
}

/** The bits where the word that is read has them. */
function place(store: TermStore, { term, low, high, at }: Piece): Term {
  const by = store.constant(BigInt(Math.abs(low - at)))
  const moved = low === at ? term : foldTerm(store, low > at ? 'SHR' : 'SHL', [by, term])
  return foldTerm(store, 'AND', [moved, store.constant(ones(high - low) << BigInt(at))])
}
