import { readComparison } from './comparison.js'
import type { WriteEffect } from './effects.js'
import { readEquality } from './entry.js'
import type { ContractFacts, FunctionFacts, Located } from './facts.js'
import { findReachable } from './graph.js'
import { type Term, walkTerm } from './terms.js'

/**
 * Writes whose slot the caller chooses: an argument is added to it, or is it, without being hashed
 * and without a bound on the way there. They reach every word of the contract.
 */
export function findOpenSlots(facts: ContractFacts, fn: FunctionFacts): Located<WriteEffect>[] {
  return fn.effects.filter((effect): effect is Located<WriteEffect> => {
    if (effect.kind !== 'write') return false
    const free = freeArguments(effect.key)
    return free.some((argument) => !isBounded(facts, fn, effect, argument))
  })
}

/** What is made of an argument so that few values are left. */
const BOUNDING: ReadonlySet<string> = new Set(['MOD', 'SMOD', 'BYTE', 'LT', 'GT', 'SLT', 'SGT', 'EQ', 'ISZERO'])
/** An array of more words is none. */
const MAX_WORDS = 1n << 64n

/**
 * Arguments that move the slot by themselves: those that are hashed spread over all of storage, and
 * of values that several ways brought together nothing is said.
 */
function freeArguments(key: Term): Term[] {
  const found: Term[] = []
  walkTerm(key, (part) => {
    const isClosed = part.op === 'keccak' || part.op === 'sload' || part.op === 'returned' || isCut(part)
    if (part.op === 'calldata') found.push(part)
    return !isClosed
  })
  return found
}

const isCut = ({ op, args }: Term) =>
  BOUNDING.has(op) || (op === 'AND' && args.some((arg) => arg.op === 'const' && arg.value < MAX_WORDS))

/** Whether each way to the write asks that the argument is no more than something, or is it. */
function isBounded({ store }: ContractFacts, { run }: FunctionFacts, { node }: Located<WriteEffect>, argument: Term) {
  const holds = (term: Term) => {
    let found = false
    walkTerm(term, (part) => {
      if (part === argument) found = true
      return !found
    })
    return found
  }
  const isLimit = (term: Term) => (term.op === 'const' ? term.value < MAX_WORDS : !holds(term))
  /** What checks that an argument has few enough bits compares it with a part of itself. */
  const isLimitOf = (term: Term) => !holds(term) || isCut(term)
  const bounds = (condition: Term, taken: boolean) => {
    const order = readComparison(condition, taken)
    if (order !== undefined) return holds(order.small) && isLimit(order.big)
    const equality = readEquality(store, condition)
    if (equality === undefined || equality.when !== taken) return false
    const sides = [equality.a, equality.b]
    return sides.some((side, index) => holds(side) && isLimitOf(sides[1 - index] ?? side))
  }
  const open = findReachable(
    run,
    ({ condition, taken }) => condition === undefined || taken === undefined || !bounds(condition, taken),
  )
  return !open.has(node)
}
