import type { Decision } from './follow-program.js'
import { COMPARE, firstDifference } from './sbf-arithmetic.js'
import { leavesOf, type Operand } from './sbf-term.js'

/**
 * Whether a decision only compares an address that was derived from seeds with one that was handed
 * over, as programs do to see that they were given the right account.
 */
export function isAddressCheck({ test, a, b }: Decision): boolean {
  if (test !== COMPARE[1] && test !== COMPARE[5]) return false
  const [left, right] = typeof a !== 'bigint' && a.kind === 'apply' && a.op === firstDifference ? [a.a, a.b] : [a, b]
  const isByTime = [left, right].some((side) =>
    [...leavesOf(side).keys()].some(({ kind }) => kind === 'clock' || kind === 'instruction' || kind === 'runtime'),
  )
  return !isByTime && typeof left !== 'bigint' && typeof right !== 'bigint' && isWhole(left) && isWhole(right)
}

/** Bytes as they came, and no sum or part of a bit of them. */
const isWhole = (operand: Operand): boolean => {
  if (typeof operand === 'bigint' || operand.kind === 'source') return true
  if (operand.kind === 'opaque') return operand.isAddress
  if (operand.kind === 'part') return isWhole(operand.of)
  return operand.kind === 'join' && operand.parts.every(({ value }) => isWhole(value))
}
