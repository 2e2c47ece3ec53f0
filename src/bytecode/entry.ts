import { foldTerm } from './fold.js'
import type { Term, TermStore } from './terms.js'

/**
 * How the contract is entered: by one function's selector, or by anything else (fallback and plain
 * receipt together). `unknown` is a selector that no function has: how the fallback is found behind
 * a jump table that the selector decides.
 */
export type Entry = { kind: 'function'; selector: number } | { kind: 'fallback'; unknown?: number }

/** The selector where it is known. */
export const selectorOf = (entry: Entry): number | undefined =>
  entry.kind === 'function' ? entry.selector : entry.unknown

export interface Equality {
  a: Term
  b: Term
  /** Whether `a == b` holds when the condition is true, or when it is false. */
  when: boolean
}

/** Reads `a == b` out of the spellings that compilers use for it. */
export function readEquality(store: TermStore, condition: Term): Equality | undefined {
  const [a, b] = condition.args
  if (a === undefined) return undefined
  if (condition.op === 'ISZERO') {
    const inner = readEquality(store, a)
    return inner === undefined ? { a, b: store.constant(0n), when: true } : { ...inner, when: !inner.when }
  }
  if (b === undefined) return undefined
  if (condition.op === 'EQ') return { a, b, when: true }
  if (condition.op === 'SUB' || condition.op === 'XOR') return { a, b, when: false }
  if (condition.op === 'ADD' && b.op === 'const') {
    return { a, b: store.constant(BigInt.asUintN(256, -b.value)), when: false }
  }
  return undefined
}

/** The first word of call data, shifted down to the selector. */
export const isSelector = (term: Term): boolean =>
  term.op === 'SHR' && term.args[0]?.value === 224n && term.args[1]?.op === 'calldata' && term.args[1].value === 0n

/** The selector that a condition compares the call's selector with. */
export function readSelectorTest(store: TermStore, condition: Term): { selector: number; when: boolean } | undefined {
  const equality = readEquality(store, condition)
  if (equality === undefined) return undefined
  const { a, b, when } = equality
  const constant = isSelector(a) ? b : isSelector(b) ? a : undefined
  // Zero is what tools test for "no selector"; a function with that selector is found by evmole if
  // there is one.
  if (constant?.op !== 'const' || constant.value > 0xffffffffn) return undefined
  return { selector: Number(constant.value), when }
}

/** `foldTerm`, knowing how the contract is entered. */
export function foldInEntry(store: TermStore, entry: Entry, op: string, args: readonly Term[]): Term {
  const term = foldTerm(store, op, args)
  const selector = selectorOf(entry)
  if (selector === undefined) return term
  switch (term.op) {
    case 'SHR':
      if (isSelector(term)) return store.constant(BigInt(selector))
      return foldCallDataSize(store, term) ?? term
    case 'LT':
    case 'GT':
    case 'ISZERO':
      return foldCallDataSize(store, term) ?? term
    default:
      return term
  }
}

/** A call of a function brings at least its four bytes. */
function foldCallDataSize(store: TermStore, { op, args: [a, b] }: Term): Term | undefined {
  if (a?.op !== 'CALLDATASIZE' && b?.op !== 'CALLDATASIZE') return undefined
  const constant = a?.op === 'const' ? a.value : b?.op === 'const' ? b.value : undefined
  if (op === 'ISZERO') return store.constant(0n)
  if (constant === undefined) return undefined
  const sizeFirst = a?.op === 'CALLDATASIZE'
  const below = (op === 'LT' && sizeFirst) || (op === 'GT' && !sizeFirst)
  const above = (op === 'GT' && sizeFirst) || (op === 'LT' && !sizeFirst)
  if (below && constant <= 4n) return store.constant(0n)
  if (above && constant < 4n) return store.constant(1n)
  if (op === 'SHR' && !sizeFirst && constant <= 2n) return store.constant(1n)
  return undefined
}
