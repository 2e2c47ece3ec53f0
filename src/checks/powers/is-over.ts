import type { Decision } from '../../evm/inspectors/decisions.js'
import { isCut, isSmall, type Leaf, type Slot, type Term, termsIn, valueIf } from '../../evm/inspectors/term.js'
import { leavesOf } from '../conditions/conditions.js'
import { isDeadAddress } from '../dead-address.js'
import { attempt, solve } from './find-way.js'
import type { Plan } from './plans.js'
import type { Stage } from './stage.js'
import type { Tried } from './try-plan.js'
import { writesOf } from './writers.js'

/**
 * Whether the first call that the function was tried with is refused for good: what its refusal
 * asks for is the clock, beside words that no function writes, and no moment to come answers
 * otherwise.
 */
export function isOver(
  stage: Stage,
  plans: readonly Plan[],
  all: readonly Tried[],
  { plan, holder }: Pick<Tried, 'plan' | 'holder'>,
): boolean {
  const [choice] = plan.choices
  if (holder?.address === undefined || choice === undefined) return false
  const { refusal } = attempt(stage, [{ plan, holder, choice }])
  if (refusal === undefined) return false
  if (isOfNoAccount(refusal, all)) return true
  return isClosedForGood(refusal, (word) => plans.some((each) => writesOf(each, word).length > 0))
}

/**
 * Whether the branch is one comparison of the clock with what nothing writes, and comes out the
 * same at all times to come: a sale that is closed. Anything else that asks the clock may open
 * again, whether or not a search finds when.
 */
export function isClosedForGood({ condition }: Decision, isWritten: (word: Slot) => boolean): boolean {
  if (!isSmall(condition)) return false
  let compared: Term = condition
  while (compared.kind === 'operation' && compared.name === 'ISZERO') compared = compared.operands[0] ?? condition
  if (compared.kind !== 'operation' || !RISING.has(compared.name)) return false
  const [clock, limit, ...rest] = compared.operands.toSorted((a, b) => Number(isClock(b)) - Number(isClock(a)))
  if (clock === undefined || limit === undefined || rest.length > 0 || !isClock(clock)) return false
  const isFixed = (term: Term) =>
    term.kind === 'operation' ||
    (term.kind === 'constant' && !isCut(term)) ||
    (term.kind === 'slot' && !isWritten(term))
  if (![...termsIn(limit)].every(isFixed)) return false
  const later = valueIf(condition, (leaf) => (isClock(leaf) ? END_OF_TIME : undefined))
  return (later !== 0n) === (condition.value !== 0n)
}

/** Comparisons that turn once while the clock runs. */
const RISING: ReadonlySet<string> = new Set(['LT', 'GT'])
/** Seconds, or blocks, that no clock of a chain reaches. */
const END_OF_TIME = 2n ** 64n

/** Whether only an account may pass that no key belongs to, and no call named another one. */
export function isOfNoAccount({ condition }: Decision, all: readonly Tried[]): boolean {
  if (!isSmall(condition)) return false
  const leaves = leavesOf(condition)
  const isWritten = (leaf: Leaf) =>
    leaf.kind === 'slot' && all.some(({ wrote }) => wrote.has(`${leaf.address} ${leaf.slot}`))
  const caller = leaves.find((leaf) => leaf.kind === 'environment' && leaf.name === 'CALLER')
  if (caller === undefined || !leaves.every((leaf) => leaf === caller || (leaf.kind === 'slot' && !isWritten(leaf))))
    return false
  const asked = solve(condition, caller)
  return asked.length > 0 && asked.every((value) => value < 1n << 160n && isDeadAddress(value))
}

const CLOCKS: ReadonlySet<string> = new Set(['TIMESTAMP', 'NUMBER'])
const isClock = (leaf: Term) => leaf.kind === 'environment' && CLOCKS.has(leaf.name)
