import { readComparison } from './comparison.js'
import { readEquality } from './entry.js'
import type { FunctionFacts } from './facts.js'
import { fromStorage, type Source } from './source.js'
import { classifyKey } from './storage-key.js'
import { type Term, type TermStore, walkTerm } from './terms.js'
import { isArgumentOf as isArgument } from './token-facts.js'

/** What the code tells about one word of call data. */
export interface ArgumentFacts {
  /** Place in the call data; the first argument is at 4. */
  offset: bigint
  /**
   * `address`: cut to 20 bytes. `boolean`: only ever asked for being zero. `number`: computed or
   * compared with.
   */
  kind: 'address' | 'boolean' | 'number' | 'unknown'
  /**
   * Constants that the code compares it with, also after arithmetic on it: `x <= 25` gives 25 or
   * 26.
   */
  constants: readonly bigint[]
  /** Stored fields that it is compared with. */
  fields: readonly Source[]
  /** Keys of mappings: the argument names an entry. */
  isKey: boolean
}

/** Constants noted per argument: a table of values tells no more than its first ones. */
const MAX_CONSTANTS = 16
/** Arguments noted per function; the compilers' own stack holds no more than 16. */
const MAX_ARGUMENTS = 16
/**
 * What is at least this is a check of the type (address, uint64, …), not a bound that the author
 * chose.
 */
const TYPE_CHECK = (1n << 64n) - 1n

interface Draft {
  offset: bigint
  isAddress: boolean
  isNumber: boolean
  isTested: boolean
  isKey: boolean
  constants: Set<bigint>
  fields: Set<Source>
}

/** Reads what a function does with each word of its call data, in order of their places. */
export function readArguments(store: TermStore, fn: FunctionFacts): ArgumentFacts[] {
  const drafts = new Map<bigint, Draft>()
  for (const { term } of fn.conditions) readCondition(store, drafts, term)
  for (const effect of fn.effects) {
    if (effect.kind === 'read' || effect.kind === 'write') {
      for (const key of classifyKey(effect.key).keys) for (const draft of argumentsIn(drafts, key)) draft.isKey = true
    }
    if (effect.kind === 'write') {
      for (const draft of argumentsIn(drafts, effect.value)) if (effect.value.op === 'calldata') draft.isNumber = true
    }
    if (effect.kind === 'call')
      for (const term of [effect.target, effect.value, ...effect.args]) argumentsIn(drafts, term)
  }
  return [...drafts.values()].sort((a, b) => Number(a.offset - b.offset)).map(finish)
}

const finish = ({ offset, isAddress, isNumber, isTested, isKey, constants, fields }: Draft): ArgumentFacts => ({
  offset,
  kind: isAddress ? 'address' : isNumber ? 'number' : isTested ? 'boolean' : 'unknown',
  constants: [...constants].slice(0, MAX_CONSTANTS),
  fields: [...fields],
  isKey,
})

/** Every argument in a term, with the shape it has there. */
function argumentsIn(drafts: Map<bigint, Draft>, term: Term): Draft[] {
  const found: Draft[] = []
  walkTerm(term, (part) => {
    if (part.op === 'calldata') {
      const draft = draftOf(drafts, part)
      if (draft !== undefined) found.push(draft)
    }
    if (ARITHMETIC.has(part.op)) {
      for (const arg of part.args) {
        const draft = arg.op === 'calldata' ? draftOf(drafts, arg) : undefined
        if (draft !== undefined) draft.isNumber = true
      }
    }
    const asked = part.op === 'ISZERO' && part.args[0]?.op === 'calldata' ? draftOf(drafts, part.args[0]) : undefined
    if (asked !== undefined) asked.isTested = true
    return true
  })
  return found
}

const ARITHMETIC = new Set(['ADD', 'SUB', 'MUL', 'DIV', 'MOD', 'EXP', 'SDIV', 'SMOD', 'LT', 'GT', 'SLT', 'SGT'])

function draftOf(drafts: Map<bigint, Draft>, { value: offset, width }: Term): Draft | undefined {
  // Below 4 lies the selector.
  if (offset < 4n) return undefined
  let draft = drafts.get(offset)
  if (draft === undefined) {
    if (drafts.size >= MAX_ARGUMENTS) return undefined
    draft = {
      offset,
      isAddress: false,
      isNumber: false,
      isTested: false,
      isKey: false,
      constants: new Set(),
      fields: new Set(),
    }
    drafts.set(offset, draft)
  }
  if (width === 160) draft.isAddress = true
  return draft
}

function readCondition(store: TermStore, drafts: Map<bigint, Draft>, term: Term): void {
  argumentsIn(drafts, term)
  const equality = readEquality(store, term)
  const comparison = readComparison(term, true)
  // `!(x > 5)` is an order, not a comparison of `x > 5` with zero.
  if (comparison !== undefined) compare(drafts, comparison.small, comparison.big, true)
  else if (equality !== undefined) compare(drafts, equality.a, equality.b, false)
  else if (term.op === 'calldata') compare(drafts, term, store.constant(0n), false)
}

/** Notes for each argument on one side what stands on the other. */
function compare(drafts: Map<bigint, Draft>, left: Term, right: Term, orders: boolean): void {
  for (const [side, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const concerned = argumentsIn(drafts, side)
    // `x == (x cut to its type)` and `!(!x)` say what type it is, nothing else.
    if (concerned.length === 0 || (other.op !== 'const' && isArgument(other))) continue
    for (const draft of concerned) {
      if (orders) draft.isNumber = true
      if (other.op === 'const') {
        if (other.value === 0n) draft.isTested = true
        if (!orders || other.value < TYPE_CHECK) draft.constants.add(other.value)
      }
      for (const source of other.taint.sources) if (fromStorage(source)) draft.fields.add(source)
    }
  }
}
