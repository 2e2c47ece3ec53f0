import { environmentSource, type Source } from './source.js'
import { createTermTable, hashTerm } from './term-table.js'
/**
 * A value as the analysis sees it. Equal terms are one object, so that identity is equality.
 *
 * `op` is an EVM mnemonic (`ADD`, `CALLER`, `EQ`, …) or one of: `const`; `calldata` (a word of call
 * data at a fixed offset); `element` (one at a place that is computed); `sload` and `field` (a word
 * of storage, and some of its bits); `keccak` (hash of the words in `args`); `call` (success of the
 * call at `value`) and `returned` (a word it returned); `choice` (one of `args`); `phi` (what
 * several paths brought together); `unknown`.
 */
export interface Term {
  readonly id: number
  readonly op: string
  readonly args: readonly Term[]
  /** The constant, the call-data offset, the lowest bit of a field, or the pc of a call. */
  readonly value: bigint
  /** Bits of a field; 256 elsewhere. */
  readonly width: number
  readonly taint: Taint
  readonly depth: number
  /** 0 or 1 whatever happens. */
  readonly boolean: boolean
  /**
   * Two occurrences are the same number for certain: nothing in the term changes while a call runs.
   */
  readonly exact: boolean
  /** Exact, and not brought together from several ways, which differs each time round a loop. */
  readonly steady: boolean
  /**
   * The constant as a position in code; -1 where it is too large for one, and for every other term.
   */
  readonly place: number
  /** Where paths brought a `phi` together. */
  readonly join: Join | undefined
  /** Of a constant: what a branch has found to be that number on this way. */
  readonly found: Term | undefined
}

/** A place at which paths meet: of a node, on its stack or in its memory. */
export interface Join {
  readonly node: number
  readonly place: string
}

/** An interned set of sources. */
export interface Taint {
  readonly id: number
  readonly sources: readonly Source[]
}

/**
 * Deeper terms are cut to `unknown` with their taint: real conditions stay below 12, hostile loops
 * build without end.
 */
const MAX_DEPTH = 24
/** A set that reaches this size adds no more members: no rule looks at so many. */
const MAX_SOURCES = 96
/**
 * Terms of one contract; honest code stays below 60,000 (measured). The holder of the store must
 * look at `isFull`.
 */
const MAX_TERMS = 400_000

export interface TermStore {
  constant(value: bigint): Term
  /**
   * The constant that a branch has found a term to be. Where the way meets others on which it is
   * still that term, it is that again.
   */
  foundToBe(constant: Term, term: Term): Term
  /** The term of these parts; `extra` adds sources beyond those of the arguments. */
  make(op: string, args: readonly Term[], value?: bigint, width?: number, extra?: Taint): Term
  /** Like `make`, with a taint of its own in place of the arguments'. */
  makeTainted(op: string, args: readonly Term[], value: bigint, width: number, taint: Taint): Term
  unknown(taint: Taint): Term
  /** What paths bring together there: one value, until the place is reached again. */
  phi(node: number, place: string, taint: Taint): Term
  taint(source: Source): Taint
  union(a: Taint, b: Taint): Taint
  readonly noTaint: Taint
  isFull(): boolean
}

/** Opcodes whose result says something about the world outside; the name becomes a source. */
const ENVIRONMENT = new Set(
  'ADDRESS BALANCE ORIGIN CALLER CALLVALUE GASPRICE EXTCODESIZE EXTCODEHASH BLOCKHASH COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE SLOTNUM GAS TLOAD'.split(
    ' ',
  ),
)

const BOOLEAN = new Set(['LT', 'GT', 'SLT', 'SGT', 'EQ', 'ISZERO', 'call'])
const PASSES_BOOLEAN = new Set(['AND', 'OR', 'choice'])
const INEXACT = new Set(
  'unknown choice sload field call returned created GAS MSIZE RETURNDATASIZE BALANCE SELFBALANCE TLOAD EXTCODESIZE EXTCODEHASH'.split(
    ' ',
  ),
)

/** Larger than any code that a chain accepts, small enough for fast integers. */
const MAX_PLACE = 0xffffffn

/** Keeps the terms of one contract. */
export function createTermStore(): TermStore {
  const constants = new Map<bigint, Term>()
  const small: (Term | undefined)[] = []
  const found = new Map<number, Term>()
  const taints = new Map<string, Taint>()
  const single = new Map<Source, Taint>()
  const environments = new Map<string, Taint>()
  const unions = new Map<number, Taint>()
  const table = createTermTable()
  /** By node, which count from zero, and place. */
  const joins: Map<string, Join & { readonly number: bigint }>[] = []
  let joinCount = 0n
  let nextId = 0

  const intern = (sources: readonly Source[]): Taint => {
    const key = sources.join(' ')
    const known = taints.get(key)
    if (known !== undefined) return known
    const created = { id: taints.size, sources }
    taints.set(key, created)
    return created
  }
  const noTaint = intern([])

  const union = (a: Taint, b: Taint): Taint => {
    if (a === b || b === noTaint) return a
    if (a === noTaint) return b
    const key = a.id < b.id ? a.id * 0x2000000 + b.id : b.id * 0x2000000 + a.id
    const known = unions.get(key)
    if (known !== undefined) return known
    const merged = intern(mergeSorted(a.sources, b.sources))
    unions.set(key, merged)
    return merged
  }

  const taint = (source: Source) => {
    const known = single.get(source)
    if (known !== undefined) return known
    const created = intern([source])
    single.set(source, created)
    return created
  }

  for (const op of ENVIRONMENT) environments.set(op, taint(environmentSource(op)))

  const constant = (value: bigint): Term => {
    const at = value < SMALL ? Number(value) : -1
    const known = at < 0 ? constants.get(value) : small[at]
    if (known !== undefined) return known
    const created = {
      id: nextId++,
      op: 'const',
      args: NO_ARGS,
      value,
      width: 256,
      taint: noTaint,
      depth: 0,
      boolean: value <= 1n,
      exact: true,
      steady: true,
      place: value <= MAX_PLACE ? Number(value) : -1,
      join: undefined,
      found: undefined,
    }
    if (at < 0) constants.set(value, created)
    else small[at] = created
    return created
  }

  const foundToBe: TermStore['foundToBe'] = (of, term) => {
    const key = of.id * 0x2000000 + term.id
    const known = found.get(key)
    if (known !== undefined) return known
    const created = { ...of, id: nextId++, found: term }
    found.set(key, created)
    return created
  }

  const unknown = (of: Taint) => makeTainted('unknown', NO_ARGS, 0n, 256, of)

  const phi: TermStore['phi'] = (node, place, of) => {
    joins[node] ??= new Map()
    let join = joins[node].get(place)
    if (join === undefined) {
      join = { node, place, number: joinCount++ }
      joins[node].set(place, join)
    }
    return makeTainted('phi', NO_ARGS, join.number, 256, of, join)
  }

  function makeTainted(op: string, args: readonly Term[], value: bigint, width: number, of: Taint, join?: Join): Term {
    let depth = 0
    for (const arg of args) if (arg.depth >= depth) depth = arg.depth + 1
    if (depth > MAX_DEPTH) return unknown(of)
    const hash = hashTerm(op, args, value, width, of)
    const known = table.find(hash, op, args, value, width, of)
    if (known !== undefined) return known
    const boolean = BOOLEAN.has(op) || (PASSES_BOOLEAN.has(op) && args.every((arg) => arg.boolean))
    const exact = !INEXACT.has(op) && args.every((arg) => arg.exact)
    const steady = exact && op !== 'phi' && args.every((arg) => arg.steady)
    const created = {
      id: nextId++,
      op,
      args,
      value,
      width,
      taint: of,
      depth,
      boolean,
      exact,
      steady,
      place: -1,
      join,
      found: undefined,
    }
    table.add(hash, created)
    return created
  }

  const make: TermStore['make'] = (op, args, value = 0n, width = 256, extra = noTaint) => {
    let of = extra
    for (const arg of args) of = union(of, arg.taint)
    const environment = environments.get(op)
    if (environment !== undefined) of = union(of, environment)
    return makeTainted(op, args, value, width, of)
  }

  return {
    constant,
    foundToBe,
    make,
    makeTainted,
    unknown,
    phi,
    taint,
    union,
    noTaint,
    isFull: () => nextId > MAX_TERMS,
  }
}

const NO_ARGS: readonly Term[] = []

/**
 * Constants below are found by their number: a map takes its time with bigints, of which it hashes
 * 64 bits alone.
 */
const SMALL = 0x100n

/** The members of both sets, each once and in their order. */
function mergeSorted(a: readonly Source[], b: readonly Source[]): Source[] {
  const merged: Source[] = []
  for (let [i, k] = [0, 0]; merged.length < MAX_SOURCES; ) {
    const [x, y] = [a[i], b[k]]
    if (x !== undefined && (y === undefined || x <= y)) {
      merged.push(x)
      i += 1
      if (x === y) k += 1
    } else if (y !== undefined) {
      merged.push(y)
      k += 1
    } else return merged
  }
  return merged
}

/**
 * Visits a term and everything below it once each. Stops descending where `visit` returns false.
 */
export function walkTerm(term: Term, visit: (term: Term) => boolean | undefined): void {
  const seen = new Set<Term>()
  const open = [term]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    if (visit(next) === false) continue
    for (const arg of next.args) open.push(arg)
  }
}

/** The term without what was found about it. */
export const plainOf = (store: TermStore, term: Term): Term =>
  term.found === undefined ? term : store.constant(term.value)

/** Whether the term is this number. Terms that are no constants have a `value`, too. */
export const isNumber = (term: Term | undefined, value: bigint): boolean => term?.op === 'const' && term.value === value

/** A word of storage, or some of its bits. */
export const isStored = ({ op }: Term): boolean => op === 'sload' || op === 'field'

/** Whether the term, or something below it, is so. */
export function someTerm(term: Term, is: (part: Term) => boolean): boolean {
  let found = false
  walkTerm(term, (part) => {
    found ||= is(part)
    return !found
  })
  return found
}

export const hasSource = (term: Term, source: Source): boolean => term.taint.sources.includes(source)
