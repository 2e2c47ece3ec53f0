import * as words from './word.js'
import { toWord, type Word } from './word.js'

/** What an operation makes of the uppermost three words of the stack, those it takes. */
type Operation = (a: bigint, b: bigint, c: bigint) => bigint
type OnWords = (a: Word, b: Word, c: Word) => Word | boolean

const OPERATIONS: Record<string, OnWords> = {
  ADD: words.add,
  MUL: words.mul,
  SUB: words.sub,
  DIV: words.div,
  SDIV: words.sdiv,
  MOD: words.mod,
  SMOD: words.smod,
  ADDMOD: words.addmod,
  MULMOD: words.mulmod,
  EXP: words.exp,
  SIGNEXTEND: words.signExtend,
  LT: words.lessThan,
  GT: (a, b) => words.lessThan(b, a),
  SLT: words.signedLessThan,
  SGT: (a, b) => words.signedLessThan(b, a),
  EQ: (a, b) => a === b,
  ISZERO: (a) => a === 0,
  AND: words.and,
  OR: words.or,
  XOR: words.xor,
  NOT: words.not,
  BYTE: words.byte,
  SHL: words.shl,
  SHR: (bits, value) => words.shr(bits, value),
  SAR: words.sar,
  CLZ: words.countLeadingZeros,
}

const onBigints =
  (compute: OnWords): Operation =>
  (a, b, c) =>
    BigInt(compute(toWord(a), toWord(b), toWord(c)))

/**
 * The arithmetic of the machine on 256-bit words (Yellow Paper, appendix H), by the name of the
 * opcode, for all who compute without running code. Operands are words without a sign.
 */
export const arithmetic: ReadonlyMap<string, Operation> = new Map(
  Object.entries(OPERATIONS).map(([name, compute]) => [name, onBigints(compute)]),
)

const onWords =
  (compute: OnWords) =>
  (a: Word, b: Word, c: Word): Word => {
    const result = compute(a, b, c)
    return typeof result === 'boolean' ? Number(result) : result
  }

/** The same on words in canonical form, for those who compute one after the other. */
export const wordArithmetic: ReadonlyMap<string, (a: Word, b: Word, c: Word) => Word> = new Map(
  Object.entries(OPERATIONS).map(([name, compute]) => [name, onWords(compute)]),
)
