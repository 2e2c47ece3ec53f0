import { WORD_MASK } from '../hex.js'
import type { WriteEffect } from './effects.js'
import type { Term, TermStore } from './terms.js'

/** Fields of one word written at once; a word has no more sensible ones. */
const MAX_FIELDS = 16

/**
 * Takes a store of a whole word apart into the fields it really changes: compilers read, mask,
 * merge and write back.
 */
export function readWrites(store: TermStore, pc: number, key: Term, value: Term): WriteEffect[] {
  const writes: WriteEffect[] = []
  let rest = value
  // What is merged later lies over what was merged before.
  let covered = 0n
  while (writes.length < MAX_FIELDS) {
    const merged = splitMerge(key, rest)
    if (merged === undefined) break
    for (const { shift, width } of fieldsOf(merged.written & ~covered, merged.added)) {
      writes.push({ kind: 'write', pc, key, shift, width, value: partAt(store, merged.added, shift, width) })
    }
    covered |= merged.written
    if (merged.base === undefined) return writes
    rest = merged.base
  }
  // A value that is merged from the old word in a way not understood is a write of the whole word.
  return [...writes, { kind: 'write', pc, key, shift: 0, width: 256, value: rest }]
}

interface Merge {
  /** Bits that do not come from the old word. */
  written: bigint
  added: readonly Term[]
  /** What the kept bits come from when it is not the old word itself but an earlier merge. */
  base: Term | undefined
}

function splitMerge(key: Term, value: Term): Merge | undefined {
  const parts = flattenOr(value)
  for (const part of parts) {
    const kept = keptBits(key, part)
    if (kept === undefined) continue
    const added = parts.filter((other) => other !== part)
    if (kept.mask === WORD_MASK) return undefined
    return { written: WORD_MASK ^ kept.mask, added, base: kept.base }
  }
  return undefined
}

function flattenOr(term: Term): Term[] {
  const parts: Term[] = []
  const open = [term]
  for (let next = open.pop(); next !== undefined && parts.length < MAX_FIELDS; next = open.pop()) {
    if (next.op === 'OR') open.push(...next.args)
    else parts.push(next)
  }
  return parts
}

/** Which bits of the old word a part keeps in place. */
function keptBits(key: Term, part: Term): { mask: bigint; base: Term | undefined } | undefined {
  const isOldWord = (term: Term | undefined) => term?.op === 'sload' && term.args[0] === key
  const [a, b] = part.args
  if (part.op === 'field' && part.value === 0n && isOldWord(a)) return { mask: ones(part.width), base: undefined }
  if (part.op === 'SHL' && b?.op === 'field' && a?.value === b.value && isOldWord(b.args[0])) {
    return { mask: ones(b.width) << b.value, base: undefined }
  }
  if (part.op !== 'AND' || b?.op !== 'const' || a === undefined) return undefined
  if (isOldWord(a)) return { mask: b.value, base: undefined }
  return a.op === 'OR' && splitMerge(key, a) !== undefined ? { mask: b.value, base: a } : undefined
}

const ones = (bits: number) => (1n << BigInt(bits)) - 1n

/** Runs of written bits, cut where what was shifted to its place begins. */
function fieldsOf(written: bigint, added: readonly Term[]): { shift: number; width: number }[] {
  const begins = added.flatMap((part) => shiftOf(part) ?? [])
  return runs(written)
    .flatMap(({ shift, width }) => {
      const end = shift + width
      const cuts = [...new Set([shift, ...begins.filter((at) => at > shift && at < end)])].toSorted((a, b) => a - b)
      return cuts.map((from, i) => ({ shift: from, width: (cuts[i + 1] ?? end) - from }))
    })
    .slice(0, MAX_FIELDS)
}

/** How far a value was shifted to its place; `undefined` where it was not. */
function shiftOf({ op, args: [a, b] }: Term): number | undefined {
  if (op === 'SHL') return a?.op === 'const' && a.value < 256n ? Number(a.value) : undefined
  if (op !== 'MUL' || b?.op !== 'const') return undefined
  const bits = b.value.toString(2).length - 1
  return b.value === 1n << BigInt(bits) ? bits : undefined
}

/** Runs of set bits, lowest first. */
function runs(mask: bigint): { shift: number; width: number }[] {
  const found: { shift: number; width: number }[] = []
  const digits = mask.toString(2)
  for (const match of digits.matchAll(/1+/g)) {
    found.unshift({ shift: digits.length - match.index - match[0].length, width: match[0].length })
  }
  return found.slice(0, MAX_FIELDS)
}

/** What was shifted to its place and then cut to the field, as code by way of Yul does. */
function withoutMask(part: Term, shift: number, width: number): Term {
  const [a, b] = part.args
  if (shift === 0 || part.op !== 'AND' || a?.op !== 'SHL' || b?.op !== 'const') return part
  const kept = (b.value >> BigInt(shift)) & ones(width)
  return kept === ones(width) ? a : part
}

/** What is put at bit `shift`, shifted down. Nothing put there is zero. */
function partAt(store: TermStore, added: readonly Term[], shift: number, width: number): Term {
  for (const whole of added) {
    const part = withoutMask(whole, shift, width)
    const [a, b] = part.args
    if (part.op === 'SHL' && a?.value === BigInt(shift) && b) return b
    if (part.op === 'MUL' && b?.op === 'const' && b.value === 1n << BigInt(shift) && a) return a
    if (part.op === 'const') {
      const bits = (part.value >> BigInt(shift)) & ones(width)
      if (bits !== 0n || added.length === 1) return store.constant(bits)
      continue
    }
    if (shift === 0 && part.op !== 'SHL' && part.op !== 'MUL') return part
  }
  if (added.length === 0) return store.constant(0n)
  let taint = store.noTaint
  for (const part of added) taint = store.union(taint, part.taint)
  return store.unknown(taint)
}
