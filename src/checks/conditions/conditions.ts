import type { TradeContext } from '../../dex/legs.js'
import type { Decision, Decisions } from '../../evm/inspectors/decisions.js'
import { isCut, isSmall, type Leaf, type Slot, sourcesOf, type Term, termsIn } from '../../evm/inspectors/term.js'
import { ADDRESS_MASK, type Address } from '../../hex.js'
import { isOfToken } from './code-of-token.js'

/** Conditions of one trade that are looked at. */
export const MAX_CONDITIONS = 400

/**
 * Everything in the token's code that a trade was decided by: its branches, and the comparisons
 * that went into what it stored, for a product with a truth value decides as a branch does. The
 * selector that a dispatcher compares is left out.
 */
export function conditionsOf(
  context: TradeContext,
  { branches, stores }: Pick<Decisions, 'branches' | 'stores'>,
): Decision[] {
  return allConditionsOf(context, { branches, stores }).filter(({ condition }) => isFollowed(condition))
}

/**
 * Whether it is known what the condition asks for, and it is small enough to be evaluated often.
 */
export const isFollowed = (condition: Term): boolean => isSmall(condition) && !someTerm(condition, isCut)

function someTerm(formula: Term, holds: (term: Term) => boolean): boolean {
  for (const term of termsIn(formula)) if (holds(term)) return true
  return false
}

/**
 * The same with those whose formula is too large or too deep, which can be forced and not solved.
 */
export function allConditionsOf(
  context: TradeContext,
  { branches, stores }: Pick<Decisions, 'branches' | 'stores'>,
): Decision[] {
  const isOurs = isOfToken(context)
  const found = branches.filter((each) => isOurs(each) && !isDispatch(each.condition))
  const seen = new Set<Term>()
  for (const { value, slot: _, entry: __, ...where } of stores) {
    const decision = { ...where, occurrence: undefined, condition: value }
    if (!isOurs(decision)) continue
    for (const condition of outermostTruths(value)) {
      if (seen.has(condition) || found.length >= MAX_CONDITIONS) continue
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
  const isTruth = (term: Term) => term.kind === 'operation' && TRUTHS.has(term.name) && term.name !== 'ISZERO'
  return [...termsIn(condition)].filter(isTruth).slice(0, most)
}

/**
 * The first word of the call data holds the selector, and nothing else that a compiler compares.
 */
const isDispatch = (condition: Term) =>
  isFollowed(condition) &&
  sourcesOf(condition) !== 0 &&
  leavesOf(condition).every((leaf) => leaf.kind === 'argument' && leaf.offset === 0)

/** What a term was computed from, each once. */
export function leavesOf(term: Term): Leaf[] {
  const found = new Map<string, Leaf>()
  for (const part of termsIn(term))
    if (part.kind !== 'constant' && part.kind !== 'operation') found.set(keyOf(part), part)
  return [...found.values()]
}

/** Whether the leaf is what was asked about this account: its coins, or its code. */
export const isAbout = (leaf: Leaf, account: Address): boolean =>
  leaf.kind === 'environment' && leaf.about !== undefined && (leaf.about & ADDRESS_MASK) === BigInt(account)

/** Words of storage that these conditions ask for, each once. */
export function slotsIn(conditions: readonly Decision[]): Slot[] {
  const slots = conditions.flatMap(({ condition }) => leavesOf(condition)).filter((leaf) => leaf.kind === 'slot')
  return [...new Map(slots.map((slot) => [keyOf(slot), slot])).values()]
}

/** Equal for two readings of the same. */
export function keyOf(leaf: Leaf): string {
  switch (leaf.kind) {
    case 'slot':
      // Large numbers are ten times as fast to write in hexadecimal.
      return `${leaf.address} ${leaf.slot.toString(16)}`
    case 'environment':
      return leaf.about === undefined ? leaf.name : `${leaf.name} ${leaf.about}`
    case 'argument':
      return `argument ${leaf.value}`
  }
}
