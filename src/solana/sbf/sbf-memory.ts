import { apply, join, littleEndian, type Piece, partOf, type Source, type Term } from './sbf-term.js'

/** What a program can address, with what each byte came from. */
export interface Memory {
  read(address: bigint, size: number): { value: bigint; term: Term | undefined }
  write(address: bigint, size: number, value: bigint, term?: Term): void
  /** A run of bytes, with their terms. */
  copy(address: bigint, size: number): Run
  paste(address: bigint, run: Run): void
}

/** Bytes one behind the other, and what they came from. */
export interface Run {
  bytes: Uint8Array
  pieces: readonly Piece[]
}

/** A run of bytes that is outside the program, in the input. */
export interface Segment {
  at: number
  source: Source
}

/** The program went where there is no memory, or wrote where it may not. */
export class AccessViolation extends Error {
  override readonly name = 'AccessViolation'
}

interface Region {
  bytes: Uint8Array
  isWritable: boolean
  /** By place; `undefined` for what was overwritten with something that has no term. */
  terms: Map<number, { value: Term; byte: number } | undefined>
  /** Of each byte, its segment and one more; 0 without. */
  segments: Uint16Array | undefined
}

const STACK_BYTES = 64 * 8_192
/** As much as a program may ask for; without asking it has an eighth of it. */
const HEAP_BYTES = 262_144

/** `data` of the program is read at the start of region `dataIn`. */
export function createMemory(
  { data, dataIn }: { data: Uint8Array; dataIn: 0 | 1 },
  input: { bytes: Uint8Array; segments: readonly Segment[] },
): Memory {
  const segments = new Uint16Array(input.bytes.length)
  for (const [i, { at, source }] of input.segments.entries()) segments.fill(i + 1, at, at + source.bytes.length)
  const region = (bytes: Uint8Array, isWritable = true): Region => ({
    bytes,
    isWritable,
    terms: new Map(),
    segments: undefined,
  })
  const regions: (Region | undefined)[] = [
    dataIn === 0 ? region(data, false) : undefined,
    dataIn === 1 ? region(data, false) : undefined,
    region(new Uint8Array(STACK_BYTES)),
    region(new Uint8Array(HEAP_BYTES)),
    { ...region(Uint8Array.from(input.bytes)), segments },
  ]
  const find = (address: bigint, size: number, isWrite: boolean): [Region, number] => {
    const found = regions[Number(address >> 32n)]
    const at = Number(address & 0xffff_ffffn)
    if (found === undefined || at + size > found.bytes.length || (isWrite && !found.isWritable)) {
      throw new AccessViolation()
    }
    return [found, at]
  }
  const termOfByte = ({ terms, segments: own }: Region, at: number): { value: Term; byte: number } | undefined => {
    if (terms.has(at)) return terms.get(at)
    const segment = own === undefined ? 0 : (own[at] ?? 0)
    const found = segment === 0 ? undefined : input.segments[segment - 1]
    return found && { value: sourceTerm(found.source), byte: at - found.at }
  }
  const piecesOf = (where: Region, at: number, size: number): Piece[] => {
    const pieces: Piece[] = []
    for (let i = 0; i < size; ) {
      const first = termOfByte(where, at + i)
      let length = 1
      for (; i + length < size; length += 1) {
        const next = termOfByte(where, at + i + length)
        if (next?.value !== first?.value || (first && next && next.byte !== first.byte + length)) break
      }
      pieces.push({
        size: length,
        value: first ? slice(first.value, first.byte, length) : littleEndian(where.bytes, at + i, length),
      })
      i += length
    }
    return pieces
  }
  const put = (where: Region, at: number, size: number, term: Term | undefined) => {
    for (let i = 0; i < size; i += 1) {
      if (term !== undefined) where.terms.set(at + i, { value: term, byte: i })
      else if (where.segments === undefined) where.terms.delete(at + i)
      else where.terms.set(at + i, undefined)
    }
  }
  return {
    read(address, size) {
      const [where, at] = find(address, size, false)
      const value = littleEndian(where.bytes, at, size)
      if (where.terms.size === 0 && where.segments === undefined) return { value, term: undefined }
      const pieces = piecesOf(where, at, size)
      const [only] = pieces
      if (pieces.length === 1 && only) return { value, term: typeof only.value === 'bigint' ? undefined : only.value }
      return { value, term: join(pieces) }
    },
    write(address, size, value, term) {
      const [where, at] = find(address, size, true)
      for (let i = 0; i < size; i += 1) where.bytes[at + i] = Number((value >> BigInt(8 * i)) & 0xffn)
      put(where, at, size, term)
    },
    copy(address, size) {
      if (size === 0) return { bytes: new Uint8Array(), pieces: [] }
      const [where, at] = find(address, size, false)
      return { bytes: where.bytes.slice(at, at + size), pieces: piecesOf(where, at, size) }
    },
    paste(address, { bytes, pieces }) {
      if (bytes.length === 0) return
      const [where, start] = find(address, bytes.length, true)
      where.bytes.set(bytes, start)
      let at = start
      for (const { value, size } of pieces) {
        put(where, at, size, typeof value === 'bigint' ? undefined : value)
        at += size
      }
    },
  }
}

type SourceTerm = Extract<Term, { kind: 'source' }>

const terms = new WeakMap<Source, SourceTerm>()

/** One for each source, so that neighbouring bytes are known to belong together. */
function sourceTerm(source: Source): SourceTerm {
  const known = terms.get(source)
  if (known !== undefined) return known
  const made: SourceTerm = { kind: 'source', source, at: 0, size: source.bytes.length }
  terms.set(source, made)
  return made
}

const slice = (term: Term, at: number, size: number): Term =>
  at === 0 && term.kind !== 'source' && term.kind !== 'opaque' ? cut(term, size) : partOf(term, at, size)

/** The lowest bytes of a term: of what was written, as wide as it was read. */
const cut = (term: Term, size: number): Term =>
  size === 8 ? term : apply((value) => BigInt.asUintN(8 * size, value), term, 0n)

/** All of a source, as a term. */
export const wholeOf = sourceTerm
