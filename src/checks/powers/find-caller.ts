import type { Decision } from '../../evm/inspectors/decisions.js'
import { isSmall, type Leaf } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { leavesOf } from '../conditions/conditions.js'
import { attempt, solve } from './find-way.js'
import { type ActingHolder, type HolderFinder, mayHold, toAccount } from './holders.js'
import type { Plan } from './plans.js'
import type { Stage } from './stage.js'
import { keysOfWord } from './writers.js'

/** Accounts that one function is called as to find who may. */
const MAX_CALLERS = 8

/**
 * Who may call a function whose check of the caller names no address, as one that is computed: the
 * refusal of a stranger is solved for the caller, and accounts with a say in the token are tried.
 * `undefined` where the refusal is about something else, or all of them are refused alike.
 */
export function findCaller(
  stage: Stage,
  finder: HolderFinder,
  { holder: { isHidden }, plan }: { holder: ActingHolder; plan: Plan },
): ActingHolder | undefined {
  const [choice] = plan.choices
  if (choice === undefined) return undefined
  const refusalOf = (address: Address) =>
    attempt(stage, [{ plan, holder: { kind: 'unknown', address, delaySeconds: 0, isHidden }, choice }])
  const { refusal } = refusalOf(stage.fresh)
  if (refusal === undefined || !isSmall(refusal.condition)) return undefined
  const asked = leavesOf(refusal.condition).filter((leaf) => isAbout(leaf, BigInt(stage.fresh)))
  const solved = asked.flatMap((leaf) =>
    leaf.kind === 'environment' ? solve(refusal.condition, leaf).flatMap((value) => toAccount(value) ?? []) : [],
  )
  const found = (asked.length === 0 ? [] : [...solved, ...finder.candidates]).slice(0, MAX_CALLERS).find((address) => {
    const { at, refusal: next } = refusalOf(address)
    return at > 0 || (next !== undefined && isFurther(next, refusal, address))
  })
  return found !== undefined && mayHold(stage, found) ? finder.describe(found, isHidden) : undefined
}

/**
 * Whether a call came further than the other: to another branch, or to the same one with nothing
 * about its caller. Conditions that are joined by `&&` end in one branch.
 */
function isFurther(next: Decision, before: Decision, caller: Address): boolean {
  if (next.pc !== before.pc || next.codeAddress !== before.codeAddress) return true
  return isSmall(next.condition) && !leavesOf(next.condition).some((leaf) => isAbout(leaf, BigInt(caller)))
}

/** Whether the caller decides it: alone, or by its entry of a list. */
const isAbout = (leaf: Leaf, caller: bigint) =>
  leaf.kind === 'slot'
    ? keysOfWord(leaf).includes(caller)
    : leaf.kind === 'environment' && (leaf.name === 'CALLER' || leaf.name === 'ORIGIN')
