import {
  CUTS_CONSTANT,
  cutTo,
  DIVIDES,
  extendLow,
  NARROW,
  NARROW_CUT,
  orHigh,
  overflows,
  PRODUCTS,
  swapBytes,
  WIDE,
} from './sbf-arithmetic.js'
import { AccessViolation } from './sbf-memory.js'
import { LATER_CLASS, OR_HIGH, WIDE_CLASS } from './sbf-opcodes.js'
import { apply, type Operation, type Term } from './sbf-term.js'

/** A value, and what it was made of where that is outside the program. */
type Valued = [value: bigint, term: Term | undefined]

interface Computation {
  opcode: number
  immediate: number
  /** As version 2 has it. */
  hasNewArithmetic: boolean
  /** Of a register with itself. */
  isSame: boolean
}

/**
 * What an instruction makes of its register and the other operand. `undefined` for one that is not
 * known. Throws an {@link AccessViolation} for a division that has no result.
 */
export function compute(
  { opcode, immediate, hasNewArithmetic, isSame }: Computation,
  [left, term]: Valued,
  [right, other]: Valued,
): Valued | undefined {
  const high = opcode >> 4
  const byRegister = (opcode & 8) !== 0
  const isWide = (opcode & 7) === WIDE_CLASS
  const alone = (op: Operation, [value, of]: Valued, by = 0n): Valued => [op(value, by), of && apply(op, of, by)]
  const both = (op: Operation, by: bigint): Valued => {
    const isFixed = (term === undefined && other === undefined) || (high === XOR && isSame)
    return [op(left, by), isFixed ? undefined : apply(op, term ?? left, other ?? by)]
  }
  if ((opcode & 7) === LATER_CLASS) {
    const op = PRODUCTS[high]
    const by = byRegister || !CUTS_CONSTANT.has(high) ? right : BigInt.asUintN(32, right)
    const divisor = high % 2 === 0 ? BigInt.asUintN(32, by) : by
    if (DIVIDES.has(high) && (divisor === 0n || overflows(high, left, by))) throw new AccessViolation()
    return op && both(op, by)
  }
  if (high === MOVE && isWide) return [right, other]
  if (high === MOVE) return alone(hasNewArithmetic && byRegister ? extendLow : cutTo(32), [right, other])
  if (hasNewArithmetic && opcode === OR_HIGH) return alone(orHigh, [left, term], right)
  if (high === SWAP) return alone(byRegister ? swapBytes(BigInt(immediate)) : cutTo(immediate), [left, term])
  const op = (isWide ? WIDE : hasNewArithmetic ? NARROW_CUT : NARROW)[high]
  if (op === undefined) return undefined
  // The constant is what is subtracted from.
  if (hasNewArithmetic && high === SUBTRACT && !byRegister) return alone((a, b) => op(b, a), [left, term], right)
  const isDivision = high === DIVIDE || high === MODULO
  if (isDivision && (isWide ? right : BigInt.asUintN(32, right)) === 0n) throw new AccessViolation()
  return both(op, right)
}

const SUBTRACT = 1
const DIVIDE = 3
const MODULO = 9
const XOR = 10
const MOVE = 11
const SWAP = 13
