import { ADDRESS_MASK } from '../hex.js'
import { readComparison } from './comparison.js'
import type { WriteEffect } from './effects.js'
import { readEquality } from './entry.js'
import type { ContractFacts, FunctionFacts, Located } from './facts.js'
import { findReachable } from './graph.js'
import type { Edge } from './interpret.js'
import { someTerm, type Term, type TermStore } from './terms.js'

/**
 * Whether the slot is the caller's address, shifted up, and something that stays below it. Such
 * words lie beyond the numbered slots, and a hash that begins with a given address has yet to be
 * found.
 */
export function isOfCaller({ store }: ContractFacts, { run }: FunctionFacts, { key, node }: Located<WriteEffect>) {
  const [a, b, more] = key.op === 'ADD' || key.op === 'OR' ? key.args : []
  if (a === undefined || b === undefined || more !== undefined) return false
  const [bits, place] = shiftOfCaller(a) === undefined ? [shiftOfCaller(b), a] : [shiftOfCaller(a), b]
  if (bits === undefined || bits < LEAST_BITS || bits > MOST_BITS) return false
  const words = 1n << bits
  if (isMasked(place, words)) return true
  const isOpen = ({ condition, taken }: Edge) =>
    condition === undefined || taken === undefined || !asksBelow(store, condition, taken, place, words)
  return !findReachable(run, isOpen).has(node)
}

/** The slots of variables lie below; more would cut the address at its upper end. */
const [LEAST_BITS, MOST_BITS] = [64n, 96n]

/** By how many bits the caller's address, and nothing else, is shifted up. */
function shiftOfCaller({ op, args: [a, b] }: Term): bigint | undefined {
  if (op === 'SHL') return a?.op === 'const' && b?.op === 'CALLER' ? a.value : undefined
  if (op !== 'AND' || a === undefined || b?.op !== 'const') return undefined
  const bits = shiftOfCaller(a)
  return bits !== undefined && b.value === ADDRESS_MASK << bits ? bits : undefined
}

/** Whether a mask leaves fewer values than that. */
const isMasked = ({ op, args }: Term, words: bigint) =>
  op === 'AND' && args.some((arg) => arg.op === 'const' && arg.value < words)

/** Whether the condition comes out so only for a place that is no more than so many. */
function asksBelow(store: TermStore, condition: Term, taken: boolean, place: Term, words: bigint): boolean {
  const order = readComparison(condition, taken)
  if (order !== undefined)
    return (
      order.small === place && order.big.op === 'const' && order.big.value <= words && !someTerm(condition, isSigned)
    )
  const { a, b, when } = readEquality(store, condition) ?? {}
  if (a === undefined || b === undefined || when !== taken) return false
  return (a === place && isMasked(b, words)) || (b === place && isMasked(a, words))
}

/** Numbers below nothing count as small there. */
const isSigned = ({ op }: Term) => op === 'SLT' || op === 'SGT'
