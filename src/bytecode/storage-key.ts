import { type Source, storageSource, UNKNOWN_VARIABLE } from './source.js'
import type { Term } from './terms.js'

/**
 * The variable that a storage key belongs to, as far as the layouts of Solidity, Vyper and the
 * hand-written libraries tell: `0x5` a slot, `0x5[]` a mapping in slot 5, `0x5[][]` a mapping of
 * mappings, `0x5[]+1` the second word of a struct in it, `0x5(*)` an element of an array. `?` where
 * the key has no known shape.
 */
export interface StorageClass {
  id: string
  /** Slot of the variable; `undefined` for `?`. */
  slot: bigint | undefined
  /** Keys of the mapping, outermost first. */
  keys: readonly Term[]
}

const UNKNOWN: StorageClass = { id: UNKNOWN_VARIABLE, slot: undefined, keys: [] }
const known = new WeakMap<Term, StorageClass>()

/** Deeper nesting than this is no mapping a compiler made. */
const MAX_NESTING = 6

export function classifyKey(key: Term): StorageClass {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = classify(key, 0)
  known.set(key, made)
  return made
}

/** Slots below this are numbers that a compiler gave; above, hashes. */
const NUMBERED_SLOTS = 1n << 64n

/**
 * The same name for a word that was read: in its slot, or so many words into an entry of the
 * mapping there; `undefined` where hashes lie deeper.
 */
export function variableAt(slot: bigint, offsetInEntry?: number): string | undefined {
  if (slot >= NUMBERED_SLOTS) return undefined
  const entry = offsetInEntry === undefined ? '' : '[]'
  return `0x${slot.toString(16)}${entry}${offsetInEntry ? `+${offsetInEntry.toString(16)}` : ''}`
}

/** The source that reading this key adds to a value. */
export const sourceOfKey = (key: Term): Source => storageSource(classifyKey(key).id)

function classify(key: Term, depth: number): StorageClass {
  if (depth > MAX_NESTING) return UNKNOWN
  if (key.op === 'const') return { id: `0x${key.value.toString(16)}`, slot: key.value, keys: [] }
  if (key.op === 'keccak') return classifyHash(key, depth)
  if (key.op === 'ADD') return classifySum(key, depth)
  return UNKNOWN
}

/**
 * Solidity hashes (key, slot), Vyper (slot, key), hand-written code packs a seed somewhere between:
 * the slot is what is constant or hashed.
 */
function classifyHash(key: Term, depth: number): StorageClass {
  const { args } = key
  if (args.length === 1) {
    const base = classify(args[0] ?? key, depth + 1)
    return base === UNKNOWN ? UNKNOWN : { ...base, id: `${base.id}(*)` }
  }
  const at = [args.length - 1, 0, ...args.keys()].find((index) => isBase(args[index]))
  if (at === undefined) return UNKNOWN
  const base = classify(args[at] ?? key, depth + 1)
  if (base === UNKNOWN) return UNKNOWN
  const keys = args.filter((_, index) => index !== at)
  return { id: `${base.id}${'[]'.repeat(keys.length)}`, slot: base.slot, keys: [...base.keys, ...keys] }
}

const isBase = (term: Term | undefined) => term !== undefined && (term.op === 'const' || containsHash(term, 0))

function classifySum(key: Term, depth: number): StorageClass {
  const [a, b] = key.args
  if (a === undefined || b === undefined) return UNKNOWN
  const hashed = containsHash(a, 0) ? a : containsHash(b, 0) ? b : undefined
  if (hashed === undefined) {
    // An element of an array of fixed size, or of a dynamic one whose data slot the compiler
    // computed.
    const base = b.op === 'const' ? b : undefined
    return base === undefined ? UNKNOWN : { id: `0x${base.value.toString(16)}(*)`, slot: base.value, keys: [a] }
  }
  const base = classify(hashed, depth + 1)
  const other = hashed === a ? b : a
  if (base === UNKNOWN) return UNKNOWN
  if (other.op === 'const') return { ...base, id: `${base.id}${memberOf(base, other.value)}` }
  return { ...base, id: base.id.endsWith('(*)') ? base.id : `${base.id}(*)`, keys: [...base.keys, other] }
}

/**
 * Which word of an entry lies so far on. An element before another one, as the last of a list that
 * is counted from its end, has the same words.
 */
function memberOf({ keys }: StorageClass, distance: bigint): string {
  if (distance < NEGATIVE) return `+${distance.toString(16)}`
  const [a, b] = keys.at(-1)?.args ?? []
  const op = keys.at(-1)?.op
  const factor = op === 'SHL' && a?.op === 'const' ? 1n << a.value : op === 'MUL' && b?.op === 'const' ? b.value : 1n
  const member = factor > 0n ? distance % factor : 0n
  return member === 0n ? '' : `+${member.toString(16)}`
}

/** From here on numbers are below nothing. */
const NEGATIVE = 1n << 255n

const containsHash = (term: Term, depth: number): boolean =>
  term.op === 'keccak' ||
  (term.op === 'ADD' && depth < MAX_NESTING && term.args.some((arg) => containsHash(arg, depth + 1)))
