import type { Decision } from '../../evm/inspectors/decisions.js'
import { isSmall, type Leaf, type Slot } from '../../evm/inspectors/term.js'
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
  if (refusal === undefined || !isSmall(refusal.condition)) return false
  if (isOfNoAccount(refusal.condition, leavesOf(refusal.condition), all)) return true
  return isClosedForGood(refusal, (word) => plans.some((each) => writesOf(each, word).length > 0))
}

/**
 * Whether the clock decides the branch, beside words that nothing writes, and no moment to come
 * decides it otherwise: a sale that is closed.
 */
export function isClosedForGood({ condition }: Decision, isWritten: (word: Slot) => boolean): boolean {
  if (!isSmall(condition)) return false
  const leaves = leavesOf(condition)
  const clocks = leaves.filter(isClock)
  const isFixed = (leaf: Leaf) => isClock(leaf) || (leaf.kind === 'slot' && !isWritten(leaf))
  if (clocks.length === 0 || !leaves.every(isFixed)) return false
  return clocks.every((leaf) => solve(condition, leaf).every((value) => value < leaf.value))
}

/** Whether only an account may pass that no key belongs to, and no call named another one. */
function isOfNoAccount(condition: Decision['condition'], leaves: readonly Leaf[], all: readonly Tried[]): boolean {
  const isWritten = (leaf: Leaf) =>
    leaf.kind === 'slot' && all.some(({ wrote }) => wrote.has(`${leaf.address} ${leaf.slot}`))
  const caller = leaves.find((leaf) => leaf.kind === 'environment' && leaf.name === 'CALLER')
  if (caller === undefined || !leaves.every((leaf) => leaf === caller || (leaf.kind === 'slot' && !isWritten(leaf))))
    return false
  const asked = solve(condition, caller)
  return asked.length > 0 && asked.every((value) => value < 1n << 160n && isDeadAddress(value))
}

const CLOCKS: ReadonlySet<string> = new Set(['TIMESTAMP', 'NUMBER'])
const isClock = (leaf: Leaf) => leaf.kind === 'environment' && CLOCKS.has(leaf.name)
