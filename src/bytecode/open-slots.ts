import { readComparison } from './comparison.js'
import type { WriteEffect } from './effects.js'
import { readEquality } from './entry.js'
import type { ContractFacts, FunctionFacts, Located } from './facts.js'
import { findReachable } from './graph.js'
import { storageKeyOf } from './guards.js'
import { isOverflowCheck } from './overflow-check.js'
import { isOfCaller } from './own-region.js'
import { fromArgument } from './source.js'
import { type Term, walkTerm } from './terms.js'

/**
 * Writes whose slot the caller chooses: an argument is added to it, or is it, without being hashed
 * and without a bound on the way there. They reach every word of the contract; where the bound is
 * too wide, a word that says who may call.
 */
export function findOpenSlots(facts: ContractFacts, fn: FunctionFacts): Located<WriteEffect>[] {
  const isOpen = (effect: Located<WriteEffect>) =>
    !(isOfCaller(facts, fn, effect) && !facts.functions.some(hasFarPlace)) &&
    freeArguments(effect.key).some(
      (argument) => !isOfRegion(facts, effect.key, argument) && !isBounded(facts, fn, effect, argument),
    )
  return fn.effects.filter(
    (effect): effect is Located<WriteEffect> =>
      effect.kind === 'write' && (isOpen(effect) || reachesHolder(facts, fn, effect)),
  )
}

/** Who chose a number beyond those of a compiler may own the address that it lies under. */
const hasFarPlace = ({ effects }: FunctionFacts) =>
  effects.some(
    (effect) => (effect.kind === 'write' || effect.kind === 'read') && (baseOf(effect.key) ?? 0n) >= MAX_WORDS,
  )

/** Writes whose slot an argument moves, bounded or not. */
export const writesByArgument = (fn: FunctionFacts): Located<WriteEffect>[] =>
  fn.effects.filter(
    (effect): effect is Located<WriteEffect> => effect.kind === 'write' && freeArguments(effect.key).length > 0,
  )

/** What is made of an argument so that few values are left. */
const BOUNDING: ReadonlySet<string> = new Set(['MOD', 'SMOD', 'BYTE', 'LT', 'GT', 'SLT', 'SGT', 'EQ', 'ISZERO'])
/** An array of more words is none. */
const MAX_WORDS = 1n << 64n

/**
 * Arguments that move the slot by themselves: those that are hashed spread over all of storage, and
 * of values that several ways brought together nothing is said.
 */
export function freeArguments(key: Term): Term[] {
  const found: Term[] = []
  walkTerm(key, (part) => {
    if (part.op === 'calldata' || part.op === 'element') found.push(part)
    return !isElsewhere(part) && part.op !== 'element' && !isCut(part)
  })
  return found
}

/** What was looked up by an argument is another number than it. */
const isElsewhere = ({ op }: Term) => op === 'keccak' || op === 'sload' || op === 'field' || op === 'returned'

const isCut = ({ op, args }: Term) =>
  BOUNDING.has(op) || (op === 'AND' && args.some((arg) => arg.op === 'const' && arg.value < MAX_WORDS))

/**
 * Whether an account is added to a number that is no slot of a compiler: hand-written tables have
 * as many words as there are accounts, where the next one begins beyond.
 */
function isOfRegion({ functions }: ContractFacts, key: Term, argument: Term): boolean {
  const base = baseOf(key)
  if (base === undefined || base < MAX_WORDS || argument.width >= WORD_BITS || !key.args.includes(argument))
    return false
  const end = base + (1n << BigInt(argument.width))
  const isWithin = (place: bigint | undefined) => place !== undefined && place > base && place < end
  return !functions.some(({ effects }) =>
    effects.some((effect) => (effect.kind === 'write' || effect.kind === 'read') && isWithin(baseOf(effect.key))),
  )
}

const WORD_BITS = 256

/** The number to which something is added, or which is all. */
function baseOf(key: Term): bigint | undefined {
  if (key.op === 'const') return key.value
  return key.op === 'ADD' ? key.args.find(({ op }) => op === 'const')?.value : undefined
}

/** Whether each way to the write asks that the argument is no more than something, or is it. */
function isBounded(
  { store }: ContractFacts,
  { run, conditions }: FunctionFacts,
  { node }: Located<WriteEffect>,
  argument: Term,
) {
  const holds = (term: Term) => {
    let found = false
    walkTerm(term, (part) => {
      if (part === argument) found = true
      return !found && !isElsewhere(part)
    })
    return found
  }
  const isLimit = (term: Term) => (term.op === 'const' ? term.value < MAX_WORDS : !holds(term))
  /** What checks that an argument has few enough bits compares it with a part of itself. */
  const isLimitOf = (term: Term) => !holds(term) || isCut(term)
  const bounds = (condition: Term, taken: boolean) => {
    const order = readComparison(condition, taken)
    if (order !== undefined) return holds(order.small) && isLimit(order.big) && !mayRunOver(conditions, order.small)
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

/** Whether a sum of what varies is compared that was not asked whether it fits into a word. */
const mayRunOver = (conditions: FunctionFacts['conditions'], sum: Term): boolean =>
  sum.op === 'ADD' &&
  sum.args.every(({ op }) => op !== 'const') &&
  !conditions.some(({ term }) => {
    const order = readComparison(term, true)
    return order !== undefined && [order.small, order.big].includes(sum) && isOverflowCheck(term)
  })

/**
 * Whether the largest slot that a bound leaves lies beyond one that says who may call: a table in
 * numbered slots ends before the next variable.
 */
function reachesHolder({ functions }: ContractFacts, fn: FunctionFacts, { key }: WriteEffect): boolean {
  const base = baseOf(key)
  const index = key.args.find(({ op }) => op !== 'const')
  if (base === undefined || index === undefined || isRoundOfLoop(index)) return false
  const far = furthest(fn, index)
  if (far === undefined) return false
  return functions
    .flatMap(({ guards }) => guards)
    .some(({ kind, holder }) => {
      const slot = kind === 'slot' ? storageKeyOf(holder) : undefined
      return slot?.op === 'const' && slot.value > base && slot.value <= base + far
    })
}

/** A place that a loop goes through, and no call chooses. */
const isRoundOfLoop = ({ op, taint: { sources } }: Term) => op === 'phi' && !sources.some(fromArgument)

/**
 * The largest number that the index comes to, where a part of it is asked to be below a constant;
 * the decoder asks the same of lengths, which are up to {@link MAX_WORDS}.
 */
function furthest({ conditions }: FunctionFacts, index: Term): bigint | undefined {
  const orders = conditions.flatMap(({ term }) => [true, false].flatMap((holds) => readComparison(term, holds) ?? []))
  const most = (term: Term): bigint | undefined => {
    const limits = orders.flatMap(({ small, big }) => (small === term && big.op === 'const' ? [big.value] : []))
    const limit = limits.filter((value) => value > 0n && value < MAX_WORDS - 1n).toSorted((a, b) => (a < b ? 1 : -1))[0]
    if (limit !== undefined) return limit - 1n
    const [a, b] = term.args
    if (a?.op === 'const' && b && term.op === 'SHR') return shifted(most(b), a.value)
    if (b?.op === 'const' && a && term.op === 'DIV' && b.value > 0n) return divided(most(a), b.value)
    return undefined
  }
  return most(index)
}

const shifted = (value: bigint | undefined, bits: bigint) =>
  value === undefined || bits > 255n ? undefined : value >> bits
const divided = (value: bigint | undefined, by: bigint) => (value === undefined ? undefined : value / by)
