import { type Address, bytesToHex, hexToBytes, toPaddedHex } from '../../hex.js'
import { arithmetic } from '../../instructions/arithmetic.js'
import { keccak256 } from '../keccak-words.js'

/**
 * Where a value comes from, as far as it was followed. `value` is what it was when it was looked
 * at.
 */
export type Term =
  /** `isCut`: of what it was computed from, nothing is kept. */
  | { kind: 'constant'; value: bigint; isCut?: true }
  /** `member`: of the record in a mapping that begins so many words before. */
  | {
      kind: 'slot'
      value: bigint
      address: Address
      slot: bigint
      entry: MappingEntry | undefined
      member?: { entry: MappingEntry; offset: number }
    }
  /** `about`: which account or block was asked for. */
  | { kind: 'environment'; value: bigint; name: string; about?: bigint }
  | { kind: 'argument'; value: bigint; offset: number }
  | { kind: 'operation'; value: bigint; name: string; operands: Term[]; sources: number; depth: number }

/**
 * A slot whose number is the hash of a key and a place: a Solidity mapping's (or a nested one's,
 * whose place is a hash again).
 */
export interface MappingEntry {
  key: bigint
  place: bigint
  /** How the key was computed, where call data are followed as bytes. */
  term?: Term
  /** The entry whose hash is the place, where mappings are nested. */
  within?: MappingEntry
}

/** What a term depends on, as bits. */
export const sources = { timestamp: 1, number: 2, environment: 4, slot: 8, argument: 16 } as const

export function sourcesOf(term: Term): number {
  switch (term.kind) {
    case 'constant':
      return 0
    case 'slot':
      return sources.slot
    case 'argument':
      return sources.argument
    case 'operation':
      return term.sources
    case 'environment':
      if (term.name === 'TIMESTAMP') return sources.timestamp
      return term.name === 'NUMBER' || term.name === 'SLOTNUM' ? sources.number : sources.environment
  }
}

/** Deeper terms come from loops; they stand for their value alone, and say that they were cut. */
const MAX_DEPTH = 48

export function operation(name: string, operands: Term[]): Term {
  const value = apply(
    name,
    operands.map((each) => each.value),
  )
  let [depth, mixed] = [1, 0]
  for (const each of operands) {
    if (each.kind === 'operation' && each.depth >= depth) depth = each.depth + 1
    mixed |= sourcesOf(each)
  }
  if (mixed === 0 || depth > MAX_DEPTH) return standIn(value, mixed, operands)
  return { kind: 'operation', value, name, operands, sources: mixed, depth }
}

/** The value alone. */
const standIn = (value: bigint, mixed: number, operands: readonly Term[]): Term =>
  mixed !== 0 || operands.some(isCut) ? { kind: 'constant', value, isCut: true } : { kind: 'constant', value }

export const isCut = (term: Term): boolean => term.kind === 'constant' && term.isCut === true

/** A word that was written to memory, by its distance from where a hash begins. */
export type Placed = readonly [offset: number, word: Term]

/**
 * The hash of `length` bytes that these words were written to, the last one last. `value` is what
 * the machine computed: where other bytes lay between them, {@link valueIf} without a supposition
 * differs from it.
 */
export function hashed(words: readonly Placed[], length: number, value: bigint): Term {
  const operands = words.flatMap(([offset, word]) => [constant(offset), word])
  const depth = 1 + Math.max(0, ...operands.map((each) => (each.kind === 'operation' ? each.depth : 0)))
  const mixed = operands.reduce((bits, each) => bits | sourcesOf(each), 0)
  if (mixed === 0 || depth > MAX_DEPTH) return standIn(value, mixed, operands)
  return {
    kind: 'operation',
    value,
    name: 'KECCAK256',
    operands: [constant(length), ...operands],
    sources: mixed,
    depth,
  }
}

const constant = (value: number): Term => ({ kind: 'constant', value: BigInt(value) })

/** Leaves of a term: what it was computed from, but for constants. */
export type Leaf = Exclude<Term, { kind: 'operation' | 'constant' }>

/**
 * Terms of one formula. Formulas share their parts, so that hostile code makes large ones cheaply.
 */
const MAX_TERMS = 1_000

/**
 * The parts of a formula, itself first, from left to right; each once, for formulas share their
 * parts and ways through them multiply.
 */
export function* termsIn(formula: Term): Generator<Term> {
  const seen = new Set<Term>()
  const open = [formula]
  for (let term = open.pop(); term !== undefined; term = open.pop()) {
    if (seen.has(term)) continue
    seen.add(term)
    yield term
    if (term.kind !== 'operation') continue
    for (let i = term.operands.length - 1; i >= 0; i -= 1) open.push(term.operands[i] as Term)
  }
}

/** Whether a formula has so few terms that it may be evaluated some thousand times. */
export function isSmall(formula: Term): boolean {
  let count = 0
  for (const _ of termsIn(formula)) {
    count += 1
    if (count > MAX_TERMS) return false
  }
  return true
}

/** A word of storage that was read. */
export type Slot = Extract<Term, { kind: 'slot' }>

/** Values that some leaves would have instead; `undefined` leaves one as it was. */
export type Suppose = (leaf: Leaf) => bigint | undefined

/** The value that a term would have if some of its leaves were others. */
export function valueIf(term: Term, suppose: Suppose, known = new Map<Term, bigint>()): bigint {
  if (term.kind === 'constant') return term.value
  if (term.kind !== 'operation') return suppose(term) ?? term.value
  const before = known.get(term)
  if (before !== undefined) return before
  const value = apply(
    term.name,
    term.operands.map((each) => valueIf(each, suppose, known)),
  )
  known.set(term, value)
  return value
}

/** What the machine computes of these operands. Throws a `RangeError` on a name of no operation. */
function apply(name: string, operands: bigint[]): bigint {
  if (name === 'KECCAK256') return hashWords(operands)
  const compute = arithmetic.get(name)
  if (compute === undefined) throw new RangeError(`${name} computes nothing`)
  const [a = 0n, b = 0n, c = 0n] = operands
  return compute(a, b, c)
}

/** Of a length, and of pairs of an offset and a word. */
export function hashWords([length = 0n, ...placed]: bigint[]): bigint {
  const bytes = new Uint8Array(Number(length) + 32)
  for (let i = 0; i + 1 < placed.length; i += 2)
    bytes.set(hexToBytes(toPaddedHex(placed[i + 1] ?? 0n, 32)), Number(placed[i]))
  return BigInt(bytesToHex(keccak256(bytes.subarray(0, Number(length)))))
}
