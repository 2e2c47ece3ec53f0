import { arithmetic } from '../instructions/arithmetic.js'
import { storageSource } from './source.js'
import { classifyKey } from './storage-key.js'
import type { Term, TermStore } from './terms.js'

const ADDRESS_BITS = 160

const wrap = (value: bigint) => BigInt.asUintN(256, value)

const POWERS = Array.from({ length: 257 }, (_, n) => 1n << BigInt(n))
const MASKS = POWERS.map((power) => power - 1n)

/** The number of low bits that `mask` keeps, when it is of the form 2^n - 1. */
export function lowMaskBits(mask: bigint): number | undefined {
  const bits = nearestPower(Number(mask) + 1)
  return mask !== 0n && MASKS[bits] === mask ? bits : undefined
}

/** n when `value` is 2^n. */
function powerOfTwo(value: bigint): number | undefined {
  const bits = nearestPower(Number(value))
  return bits < 256 && POWERS[bits] === value ? bits : undefined
}

/** Exact for a power of two, which a fraction of 53 bits holds as it is. */
const nearestPower = (value: number) => Math.round(Math.log2(value))

/** Bits that a number needs; one for zero. */
function bitLength(value: bigint): number {
  if (value === 0n) return 1
  const bits = Math.round(Math.log2(Number(value)))
  return value < (POWERS[bits] ?? 0n) ? bits : bits + 1
}

/** Bits that a term can have set, counted from the lowest. */
export function widthOf(term: Term): number {
  if (term.op === 'field' || term.op === 'calldata') return term.width
  if (term.op === 'const') return bitLength(term.value)
  if (term.op === 'SHR' && term.args[0]?.op === 'const') return Math.max(1, 256 - Number(term.args[0].value))
  if (term.op === 'AND' && term.args[1]?.op === 'const') return bitLength(term.args[1].value)
  if (term.op === 'CALLER' || term.op === 'ORIGIN' || term.op === 'ADDRESS' || term.op === 'COINBASE')
    return ADDRESS_BITS
  return term.boolean ? 1 : 256
}

/**
 * Builds `op(args)`, computing constants and bringing the compiler's spellings of one thing to one
 * form.
 */
export function foldTerm(store: TermStore, op: string, args: readonly Term[]): Term {
  const [a, b, c] = args
  if (a === undefined) return store.make(op, args)
  if (a.op === 'const' && (b === undefined || b.op === 'const') && (c === undefined || c.op === 'const')) {
    const evaluate = arithmetic.get(op)
    return evaluate === undefined
      ? store.make(op, args)
      : store.constant(evaluate(a.value, b?.value ?? 0n, c?.value ?? 0n))
  }
  if (b === undefined) return op === 'ISZERO' ? foldIsZero(store, a) : store.make(op, args)
  return (c === undefined ? FOLDS.get(op)?.(store, a, b) : undefined) ?? store.make(op, args)
}

function foldIsZero(store: TermStore, a: Term): Term {
  const inner = a.args[0]
  if (a.op === 'ISZERO' && inner !== undefined && inner.boolean) return inner
  // a - b == 0 and a ^ b == 0 are a == b.
  if ((a.op === 'SUB' || a.op === 'XOR') && inner !== undefined && a.args[1] !== undefined) {
    return foldTerm(store, 'EQ', [inner, a.args[1]])
  }
  return isOwnSize(a) ? store.constant(0n) : store.make('ISZERO', [a])
}

/**
 * How long the code of the account itself is, which is not nothing while it runs. Initialisers ask
 * for it, to let constructors pass that are long over.
 */
const isOwnSize = ({ op, args: [account] }: Term) => op === 'EXTCODESIZE' && account?.op === 'ADDRESS'

type Fold = (store: TermStore, a: Term, b: Term) => Term | undefined

const isZero = (term: Term) => term.op === 'const' && term.value === 0n
const isOne = (term: Term) => term.op === 'const' && term.value === 1n

/** Arguments of a commutative operation with the constant last, otherwise by age. */
const ordered = (a: Term, b: Term): readonly [Term, Term] =>
  a.op === 'const' || (b.op !== 'const' && a.id > b.id) ? [b, a] : [a, b]

const FOLDED: Record<string, Fold> = {
  ADD(store, a, b) {
    const [x, y] = ordered(a, b)
    if (isZero(y)) return x
    const [base, offset] = x.args
    if (y.op === 'const' && x.op === 'ADD' && base && offset?.op === 'const') {
      const sum = wrap(offset.value + y.value)
      return sum === 0n ? base : store.make('ADD', [base, store.constant(sum)])
    }
    return store.make('ADD', [x, y])
  },
  SUB(store, a, b) {
    if (isZero(b)) return a
    if (b.op === 'const') return foldTerm(store, 'ADD', [a, store.constant(wrap(-b.value))])
    if (a === b && a.exact) return store.constant(0n)
    // (x + c) - x is c: how a size is taken from two memory pointers, whatever x is, because both
    // are one value of one moment.
    const [base, offset] = a.args
    if (a.op === 'ADD' && base === b && offset?.op === 'const') return offset
    return undefined
  },
  MUL(store, a, b) {
    const [x, y] = ordered(a, b)
    if (isZero(y)) return y
    if (isOne(y)) return x
    return store.make('MUL', [x, y])
  },
  DIV(store, a, b) {
    if (isOne(b)) return a
    const shift = b.op === 'const' ? powerOfTwo(b.value) : undefined
    return shift === undefined ? undefined : shiftRight(store, a, shift)
  },
  SHR: (store, shift, value) =>
    shift.op === 'const' && shift.value < 256n ? shiftRight(store, value, Number(shift.value)) : undefined,
  SHL: (_store, shift, value) => (isZero(shift) ? value : undefined),
  AND(store, a, b) {
    const [x, y] = ordered(a, b)
    if (x === y) return x
    if (y.op !== 'const') return store.make('AND', [x, y])
    if (y.value === 0n) return y
    const bits = lowMaskBits(y.value)
    if (bits === undefined) return fieldOfMask(store, x, y.value) ?? nestedMask(store, x, y.value)
    if (bits >= widthOf(x)) return x
    if (x.op === 'sload') return fieldOf(store, x, 0, bits)
    if (x.op === 'field') return fieldOf(store, x.args[0] ?? x, Number(x.value), bits)
    return nestedMask(store, x, y.value)
  },
  OR(store, a, b) {
    const [x, y] = ordered(a, b)
    if (x === y || isZero(y)) return x
    return store.make('OR', [x, y])
  },
  XOR(store, a, b) {
    const [x, y] = ordered(a, b)
    if (isZero(y)) return x
    if (x === y && x.exact) return store.constant(0n)
    return store.make('XOR', [x, y])
  },
  EQ(store, a, b) {
    const [x, y] = ordered(a, b)
    if (x === y && x.exact) return store.constant(1n)
    if (isZero(y)) return foldIsZero(store, x)
    if (isOne(y) && x.boolean) return x
    // An address compared with a constant that no address can be.
    if (y.op === 'const' && bitLength(y.value) > widthOf(x)) return store.constant(0n)
    return store.make('EQ', [x, y])
  },
  GT: (store, a, b) =>
    isZero(b) ? foldPositive(store, a) : isZero(a) ? store.constant(0n) : unsignedRange(store, b, a),
  LT: (store, a, b) =>
    isZero(a) ? foldPositive(store, b) : isZero(b) ? store.constant(0n) : unsignedRange(store, a, b),
  // What is too short to have its sign bit set stays as it is.
  SIGNEXTEND: (_store, size, value) =>
    size.op === 'const' && size.value < 32n && widthOf(value) < Number(size.value) * 8 + 8 ? value : undefined,
  BYTE(store, index, value) {
    if (index.op !== 'const' || index.value > 31n) return undefined
    return foldTerm(store, 'AND', [shiftRight(store, value, Number(31n - index.value) * 8), store.constant(0xffn)])
  },
}
const FOLDS = new Map(Object.entries(FOLDED))

/** `term > 0`, where it can be said. */
const foldPositive = (store: TermStore, term: Term): Term | undefined =>
  term.boolean ? term : isOwnSize(term) ? store.constant(1n) : unsignedRange(store, store.constant(0n), term)

/** `small < big` where the bits decide it: a 20-byte address is always below 2^160. */
function unsignedRange(store: TermStore, small: Term, big: Term): Term | undefined {
  if (big.op === 'const' && widthOf(small) < 256 && big.value >= 1n << BigInt(widthOf(small))) return store.constant(1n)
  if (small.op === 'const' && widthOf(big) < 256 && small.value >= (1n << BigInt(widthOf(big))) - 1n)
    return store.constant(0n)
  return undefined
}

function shiftRight(store: TermStore, value: Term, shift: number): Term {
  if (shift === 0) return value
  if (value.op === 'sload') return fieldOf(store, value, shift, 256 - shift)
  if (value.op === 'field' && shift < value.width) {
    return fieldOf(store, value.args[0] ?? value, Number(value.value) + shift, value.width - shift)
  }
  // (x << n) >> n keeps x where x is short enough.
  const [by, inner] = value.args
  if (value.op === 'SHL' && by?.value === BigInt(shift) && inner && widthOf(inner) <= 256 - shift) return inner
  // What is put beside it below, as after the selector of a call, falls off.
  if (value.op === 'OR' && by && inner && widthOf(by) <= shift) return shiftRight(store, inner, shift)
  if (value.op === 'OR' && by && inner && widthOf(inner) <= shift) return shiftRight(store, by, shift)
  return foldConst(store, value, shift) ?? store.make('SHR', [store.constant(BigInt(shift)), value])
}

const foldConst = (store: TermStore, value: Term, shift: number) =>
  value.op === 'const' ? store.constant(value.value >> BigInt(shift)) : undefined

/**
 * `AND` with a mask that keeps one run of bits away from the bottom: a field that was not shifted
 * down.
 */
function fieldOfMask(store: TermStore, x: Term, mask: bigint): Term | undefined {
  if (x.op !== 'sload') return undefined
  const shift = (mask & -mask).toString(2).length - 1
  const width = lowMaskBits(mask >> BigInt(shift))
  // The complement of a field, kept by a write to that field, stays as it is for the write to be
  // recognised.
  if (width === undefined || shift + width === 256) return undefined
  return store.make('SHL', [store.constant(BigInt(shift)), fieldOf(store, x, shift, width)])
}

function nestedMask(store: TermStore, x: Term, mask: bigint): Term {
  const [inner, innerMask] = x.args
  if (x.op === 'AND' && inner && innerMask?.op === 'const') {
    return foldTerm(store, 'AND', [inner, store.constant(innerMask.value & mask)])
  }
  // An address from call data keeps its shape, so that it is one term with and without a second
  // cut; the uncut word stays another.
  if (x.op === 'calldata' && lowMaskBits(mask) === ADDRESS_BITS) {
    return store.makeTainted('calldata', [], x.value, ADDRESS_BITS, x.taint)
  }
  return store.make('AND', [x, store.constant(mask)])
}

/** `width` bits of a storage word from bit `shift` on, with a source of its own. */
export function fieldOf(store: TermStore, word: Term, shift: number, width: number): Term {
  const key = word.args[0]
  if (key === undefined || (shift === 0 && width === 256)) return word
  const variable = classifyKey(key).id
  const own = storageSource(variable)
  let taint = store.noTaint
  for (const source of word.taint.sources) {
    taint = store.union(taint, store.taint(source === own ? storageSource(variable, { shift, width }) : source))
  }
  return store.makeTainted('field', [word], BigInt(shift), width, taint)
}
