import type { TradeContext } from '../../dex/legs.js'
import type { Decision, Decisions } from '../../evm/inspectors/decisions.js'
import { isSmall, type Leaf, type Slot, sources, sourcesOf, type Term } from '../../evm/inspectors/term.js'
import { isOfToken } from './code-of-token.js'

/** Conditions of one trade that are looked at. */
const MAX_CONDITIONS = 400

/**
 * Everything in the token's code that a trade was decided by: its branches, and the comparisons
 * that went into what it stored, for a product with a truth value decides as a branch does. The
 * selector that a dispatcher compares is left out.
 */
export function conditionsOf(
  context: TradeContext,
  { branches, stores }: Pick<Decisions, 'branches' | 'stores'>,
): Decision[] {
  const isOurs = isOfToken(context)
  const found = branches.filter((each) => isOurs(each) && isSmall(each.condition) && !isDispatch(each.condition))
  const seen = new Set<Term>()
  for (const { value, slot: _, ...where } of stores) {
    const decision = { ...where, occurrence: undefined, condition: value }
    if (!isOurs(decision)) continue
    for (const condition of outermostTruths(value)) {
      if (seen.has(condition) || found.length >= MAX_CONDITIONS || !isSmall(condition)) continue
      seen.add(condition)
      found.push({ ...where, occurrence: undefined, condition })
    }
  }
  return found.slice(0, MAX_CONDITIONS)
}

const TRUTHS: ReadonlySet<string> = new Set(['LT', 'GT', 'SLT', 'SGT', 'EQ', 'ISZERO'])
/** Terms of one stored value. */
const MAX_TERMS = 256

/** The comparisons that a stored value was computed from, the outermost of nested ones. */
function outermostTruths(value: Term): Term[] {
  const found: Term[] = []
  const open = [value]
  for (let term = open.pop(), left = MAX_TERMS; term !== undefined && left > 0; term = open.pop(), left -= 1) {
    if (term.kind !== 'operation') continue
    if (TRUTHS.has(term.name)) found.push(term)
    else open.push(...term.operands)
  }
  return found
}

/** The comparisons within a condition that it is joined from, at most so many. */
export function truthsIn(condition: Term, most: number): Term[] {
  const found: Term[] = []
  const open = [condition]
  for (let term = open.pop(), left = MAX_TERMS; term !== undefined && left > 0; term = open.pop(), left -= 1) {
    if (term.kind !== 'operation') continue
    if (TRUTHS.has(term.name) && term.name !== 'ISZERO' && found.length < most) found.push(term)
    open.push(...term.operands)
  }
  return found
}

/**
 * The first word of the call data holds the selector, and nothing else that a compiler compares.
 */
const isDispatch = (condition: Term) =>
  sourcesOf(condition) !== 0 && leavesOf(condition).every((leaf) => leaf.kind === 'argument' && leaf.offset === 0)

/** What a term was computed from, each once. */
export function leavesOf(term: Term): Leaf[] {
  const found = new Map<string, Leaf>()
  const seen = new Set<Term>()
  const open = [term]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'constant' || seen.has(next)) continue
    seen.add(next)
    if (next.kind === 'operation') open.push(...next.operands)
    else found.set(keyOf(next), next)
  }
  return [...found.values()]
}

/** Words of storage that these conditions ask for, each once. */
export function slotsIn(conditions: readonly Decision[]): Slot[] {
  const found = new Map<string, Slot>()
  const seen = new Set<Term>()
  const open = conditions.map(({ condition }) => condition)
  for (let term = open.pop(); term !== undefined; term = open.pop()) {
    if (seen.has(term) || (sourcesOf(term) & sources.slot) === 0) continue
    seen.add(term)
    if (term.kind === 'slot') found.set(keyOf(term), term)
    else if (term.kind === 'operation') open.push(...term.operands)
  }
  return [...found.values()]
}

/** Equal for two readings of the same. */
export function keyOf(leaf: Leaf): string {
  switch (leaf.kind) {
    case 'slot':
      return `${leaf.address} ${leaf.slot}`
    case 'environment':
      return leaf.about === undefined ? leaf.name : `${leaf.name} ${leaf.about}`
    case 'argument':
      return `argument ${leaf.value}`
  }
}
