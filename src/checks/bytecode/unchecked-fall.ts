import { isRangeCheck } from '../../bytecode/arithmetic-check.js'
import type { BalanceChange } from '../../bytecode/read-balance-changes.js'
import { isStored, type Term, walkTerm } from '../../bytecode/terms.js'

/**
 * Whether a word falls by as much as the call says, and no check compares that with anything
 * stored: it may then begin again at the largest number, and what was paid out of it came out of
 * nothing.
 */
export function mayRunBelow({ fn, effect, amount }: Pick<BalanceChange, 'fn' | 'effect' | 'amount'>): boolean {
  if (amount === undefined || effect.value.op !== 'SUB' || !isFromCall(amount)) return false
  return !fn.conditions.some(({ term, fails }) => fails !== undefined && !isRangeCheck(term) && isLimit(term, amount))
}

/** A number of the call as it is, or cut to its type. */
const isFromCall = ({ op, args: [a, b] }: Term) =>
  op === 'calldata' || (op === 'AND' && a?.op === 'calldata' && b?.op === 'const')

/** Whether the amount itself, and not what is found by it, is asked for beside something stored. */
function isLimit(condition: Term, amount: Term): boolean {
  let [hasAmount, hasStored] = [false, false]
  walkTerm(condition, (part) => {
    hasAmount ||= part === amount
    hasStored ||= isStored(part)
    return !isStored(part) && part.op !== 'keccak'
  })
  return hasAmount && hasStored
}
