import { opcodeName } from '../../instructions/opcodes.js'
import type { Word } from '../../instructions/word.js'
import type { StepEvent } from '../inspector.js'
import { and, type ByteMask, extendDown, extendUp, FULL_MASK, powerOfTwo, shiftLeft, shiftRight } from './byte-mask.js'
import type { TaintRecord } from './taint-branches.js'
import { SOURCE_BITS, SOURCES } from './taint-handling.js'
import { putShadow, type ShadowStack } from './taint-stack.js'

/**
 * An operation on two values of which at least one is tainted; `top` is the place above the upper
 * one.
 */
export function combine(shadow: ShadowStack, event: StepEvent, top: number, record: TaintRecord): void {
  const { stack, masks } = shadow
  const { opcode } = event
  const place = top - 2
  const left = stack[top - 1] as number
  const right = stack[place] as number
  const sources = (left | right) & SOURCES
  const leftMask = (left & SOURCES) === 0 ? 0 : (masks[top - 1] as number)
  const rightMask = (right & SOURCES) === 0 ? 0 : (masks[place] as number)
  switch (opcode) {
    case 0x10: // LT
    case 0x11: // GT
    case 0x12: // SLT
    case 0x13: // SGT
    case 0x14: // EQ
      stack[place] = sources | (compare(event, leftMask !== 0, record) << SOURCE_BITS)
      masks[place] = 1
      return
    case 0x03: // SUB
    case 0x18: // XOR
      // How compilers write an inequality when the answer goes straight into a branch.
      stack[place] = sources | (compare(event, leftMask !== 0, record) << SOURCE_BITS)
      masks[place] = opcode === 0x18 ? leftMask | rightMask : extendUp(leftMask | rightMask)
      return
    case 0x16: // AND
    case 0x17: {
      // OR
      // Of two answers that are joined, the first that came from a comparison is kept.
      const comparison = left >>> SOURCE_BITS || right >>> SOURCE_BITS
      let mask = leftMask | rightMask
      if (opcode === 0x16 && rightMask === 0) mask = and(leftMask, event.stackWord(1))
      if (opcode === 0x16 && leftMask === 0) mask = and(rightMask, event.stackWord(0))
      putShadow(shadow, place, sources | (comparison << SOURCE_BITS), mask)
      return
    }
    default:
      putShadow(shadow, place, sources, maskOfResult(event, opcode, leftMask, rightMask))
  }
}

/** Notes what the tainted operand, the upper one if both are, was compared with. */
function compare(event: StepEvent, isUpperTainted: boolean, record: TaintRecord): number {
  const tainted = isUpperTainted ? 0 : 1
  return record.compare(opcodeName(event.opcode) ?? '', event.stackWord(tainted), event.stackWord(1 - tainted))
}

/** The bytes that the operands' marked bytes can reach. */
function maskOfResult(event: StepEvent, opcode: number, left: ByteMask, right: ByteMask): ByteMask {
  switch (opcode) {
    case 0x1b: // SHL
      return left !== 0 ? FULL_MASK : shiftLeft(right, event.stackWord(0))
    case 0x1c: // SHR
    case 0x1d: // SAR
      return left !== 0 ? FULL_MASK : shiftRight(right, event.stackWord(0))
    case 0x1a: // BYTE
      return left !== 0 ? 1 : shiftRight(right, byteShift(event.stackWord(0))) & 1
    case 0x02: // MUL: by a power of two it is a shift
      return scaled(left, right, event.stackWord(right === 0 ? 1 : 0), shiftLeft)
    case 0x04: // DIV
      return right !== 0 ? FULL_MASK : scaled(left, 0, event.stackWord(1), shiftRight)
    case 0x06: // MOD
      return extendDown(left | right)
    default:
      return extendUp(left | right)
  }
}

/** BYTE counts from the most significant byte. */
function byteShift(index: Word): Word {
  return typeof index === 'number' && index < 32 ? 248 - index * 8 : 256
}

/**
 * A product or quotient with an untainted factor: a shift if that is a power of two, anything
 * otherwise.
 */
function scaled(
  left: ByteMask,
  right: ByteMask,
  factor: Word,
  shift: (mask: ByteMask, bits: Word) => ByteMask,
): ByteMask {
  if (left !== 0 && right !== 0) return FULL_MASK
  const mask = left | right
  const bits = powerOfTwo(factor)
  return bits === undefined ? extendDown(extendUp(mask)) : shift(mask, bits)
}
