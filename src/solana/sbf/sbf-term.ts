/** Something outside the program that it looks at: a run of bytes with a name. */
export interface Source {
  kind: SourceKind
  /** Place of the account among those of the instruction; -1 for what belongs to none. */
  account: number
  bytes: Uint8Array
}

/**
 * `shape`: how many accounts there are, whether they sign, how long their data is. `runtime`: what
 * the runtime tells besides the clock, such as hashes of slots or the other instructions.
 */
export type SourceKind =
  | 'clock'
  | 'instruction'
  | 'key'
  | 'owner'
  | 'lamports'
  | 'data'
  | 'length'
  | 'shape'
  | 'runtime'

/** How a value came about. What is the same whatever the sources hold has no term. */
export type Term =
  | { kind: 'source'; source: Source; at: number; size: number }
  | { kind: 'apply'; op: Operation; a: Operand; b: Operand; depth: number }
  /** Pieces of one byte or more, the lowest first. */
  | { kind: 'join'; parts: readonly Piece[]; depth: number }
  /** Bytes `at` to `at + size` of a value. */
  | { kind: 'part'; of: Term; at: number; size: number; depth: number }
  /** Cannot be computed again from other sources: a hash, or an address derived from seeds. */
  | { kind: 'opaque'; of: readonly Term[]; isAddress: boolean }

export interface Piece {
  value: Operand
  size: number
}

export type Operand = Term | bigint
export type Operation = (a: bigint, b: bigint) => bigint

/**
 * A chain of operations that is longer is no longer computed again: a loop over what is outside.
 */
const MAX_DEPTH = 400

const depthOf = (operand: Operand) => (typeof operand === 'object' && 'depth' in operand ? operand.depth : 0)

export function apply(op: Operation, a: Operand, b: Operand): Term {
  const depth = Math.max(depthOf(a), depthOf(b)) + 1
  return depth > MAX_DEPTH ? opaque([a, b]) : { kind: 'apply', op, a, b, depth }
}

export function join(parts: readonly Piece[]): Term {
  const depth = Math.max(...parts.map(({ value }) => depthOf(value))) + 1
  return depth > MAX_DEPTH ? opaque(parts.map(({ value }) => value)) : { kind: 'join', parts, depth }
}

export function partOf(of: Term, at: number, size: number): Term {
  if (of.kind === 'source') return { ...of, at: of.at + at, size }
  const depth = depthOf(of) + 1
  return of.kind === 'opaque' || depth > MAX_DEPTH ? opaque([of]) : { kind: 'part', of, at, size, depth }
}

export function opaque(of: readonly Operand[], isAddress = false): Term {
  const [only] = of
  if (of.length === 1 && typeof only === 'object' && only.kind === 'opaque' && !isAddress) return only
  const sources = of.flatMap((each) =>
    [...leavesOf(each)].map(([source]) => ({ kind: 'source' as const, source, at: 0, size: 1 })),
  )
  return { kind: 'opaque', of: sources, isAddress }
}

/** What the sources hold instead. */
export type Instead = ReadonlyMap<Source, Uint8Array>

/**
 * What a term would be with other sources; `undefined` when that cannot be told. A term is a graph
 * whose parts are shared: what was computed is kept.
 */
export function evaluate(operand: Operand, instead: Instead): bigint | undefined {
  const known = new Map<Term, bigint | undefined>()
  const of = (each: Operand): bigint | undefined => {
    if (typeof each === 'bigint') return each
    if (known.has(each)) return known.get(each)
    const value = compute(each)
    known.set(each, value)
    return value
  }
  const compute = (term: Term): bigint | undefined => {
    switch (term.kind) {
      case 'source': {
        const bytes = instead.get(term.source) ?? term.source.bytes
        return term.at + term.size > bytes.length ? undefined : littleEndian(bytes, term.at, term.size)
      }
      case 'apply': {
        const a = of(term.a)
        const b = a === undefined ? undefined : of(term.b)
        return a === undefined || b === undefined ? undefined : term.op(a, b)
      }
      case 'join': {
        let value = 0n
        let shift = 0n
        for (const part of term.parts) {
          const each = of(part.value)
          if (each === undefined) return undefined
          value |= each << shift
          shift += BigInt(8 * part.size)
        }
        return value
      }
      case 'part': {
        const whole = of(term.of)
        return whole === undefined ? undefined : BigInt.asUintN(8 * term.size, whole >> BigInt(8 * term.at))
      }
      case 'opaque':
        return undefined
    }
  }
  return of(operand)
}

/** Everything outside that a term depends on: which bytes of which source. */
export function leavesOf(operand: Operand): Map<Source, { at: number; size: number }[]> {
  const leaves = new Map<Source, { at: number; size: number }[]>()
  const seen = new Set<Term>()
  const visit = (each: Operand) => {
    if (typeof each === 'bigint' || seen.has(each)) return
    seen.add(each)
    if (each.kind === 'source') {
      const slices = leaves.get(each.source) ?? []
      slices.push({ at: each.at, size: each.size })
      leaves.set(each.source, slices)
    } else if (each.kind === 'apply') [each.a, each.b].forEach(visit)
    else if (each.kind === 'join') for (const { value } of each.parts) visit(value)
    else if (each.kind === 'part') visit(each.of)
    else each.of.forEach(visit)
  }
  visit(operand)
  return leaves
}

export function littleEndian(bytes: Uint8Array, at: number, size: number): bigint {
  let value = 0n
  for (let i = size - 1; i >= 0; i -= 1) value = (value << 8n) | BigInt(bytes[at + i] ?? 0)
  return value
}
