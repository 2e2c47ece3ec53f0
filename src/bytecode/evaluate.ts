import { hexToBytes, toPaddedHex } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { foldTerm } from './fold.js'
import { fromStorage } from './source.js'
import type { Term, TermStore } from './terms.js'

/** Reads a storage word of the account in question. `undefined`: not known. */
export type ReadStorage = (slot: bigint) => bigint | undefined

/**
 * The number that a term is in the present state, when nothing but constants and known storage
 * flows into it.
 */
export function evaluateTerm(
  store: TermStore,
  term: Term,
  read: ReadStorage,
  known = new Map<Term, bigint | undefined>(),
): bigint | undefined {
  if (term.op === 'const') return term.value
  if (known.has(term)) return known.get(term)
  const value = evaluate(store, term, read, known)
  known.set(term, value)
  return value
}

function evaluate(
  store: TermStore,
  term: Term,
  read: ReadStorage,
  known: Map<Term, bigint | undefined>,
): bigint | undefined {
  // Most terms depend on the call: no need to look at their parts.
  if (term.args.length === 0 || term.taint.sources.some((source) => !fromStorage(source))) return undefined
  const values: bigint[] = []
  for (const arg of term.args) {
    const value = evaluateTerm(store, arg, read, known)
    if (value === undefined) return undefined
    values.push(value)
  }
  const [first = 0n] = values
  if (term.op === 'sload') return read(first)
  if (term.op === 'field') return (first >> term.value) & ((1n << BigInt(term.width)) - 1n)
  if (term.op === 'keccak') return hashWords(values)
  if (term.op === 'choice') return values.every((value) => value === first) ? first : undefined
  const folded = foldTerm(
    store,
    term.op,
    values.map((value) => store.constant(value)),
  )
  return folded.op === 'const' ? folded.value : undefined
}

/** keccak-256 of words put side by side, as mappings and dynamic arrays use it. */
export function hashWords(words: readonly bigint[]): bigint {
  return BigInt(keccak256(hexToBytes(words.map((word) => toPaddedHex(word, 32).slice(2)).join(''))))
}

/**
 * Fixed slots that the terms need for {@link evaluateTerm}; slots that depend on other values are
 * found once those are known.
 */
export function slotsOf(terms: Iterable<Term>, limit: number): bigint[] {
  const slots = new Set<bigint>()
  const seen = new Set<Term>()
  const open = [...terms]
  for (let term = open.pop(); term !== undefined && slots.size < limit; term = open.pop()) {
    if (seen.has(term)) continue
    seen.add(term)
    if (term.op === 'sload' && term.args[0]?.op === 'const') slots.add(term.args[0].value)
    for (const arg of term.args) open.push(arg)
  }
  return [...slots]
}
