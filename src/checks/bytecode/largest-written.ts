import { readComparison } from '../../bytecode/comparison.js'
import type { WriteEffect } from '../../bytecode/effects.js'
import type { FunctionFacts, Located } from '../../bytecode/facts.js'
import { findReachable } from '../../bytecode/graph.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import { findOpenSlots } from '../../bytecode/open-slots.js'
import { UNKNOWN_VARIABLE } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { isNumber, type Term } from '../../bytecode/terms.js'
import { hexToBytes, toPaddedHex, WORD_MASK } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import type { Subject } from './subject.js'

/** Records of records that are followed. */
const MAX_DEPTH = 3
/** Entries of a list that are read: motions, proposals and terms are few. */
const MAX_ENTRIES = 64n

/** Some bits of the words of a variable. */
interface Field {
  key: Term
  shift: number
  width: number
}

/**
 * The largest number that the write can leave in its field: a constant, an argument that every way
 * to the write asks to be small enough, or what such writes have put into the records of a list,
 * with what is there now. `undefined` where something else may be written.
 */
export function largestWritten(
  subject: Subject,
  fn: FunctionFacts,
  { value, node }: Located<WriteEffect>,
  depth = 0,
): bigint | undefined {
  if (value.op === 'const') return value.value
  const asked = largestAsked(fn, node, value)
  if (asked !== undefined) return asked
  const field = fieldOf(value)
  return field && depth < MAX_DEPTH ? largestKept(subject, fn, field, depth) : undefined
}

/** The least constant that the value itself is asked not to be above, on every way to the node. */
function largestAsked(fn: FunctionFacts, node: Located<WriteEffect>['node'], value: Term) {
  const { conditions } = fn
  const isWithin =
    (limit: bigint) =>
    ({ small, big }: Order): boolean =>
      small === value && big.op === 'const' && big.value <= limit
  const limits = conditions.flatMap(({ term }) =>
    [true, false].flatMap((holds) => {
      const order = readComparison(term, holds)
      return order?.small === value && order.big.op === 'const' ? [order.big.value] : []
    }),
  )
  return limits.toSorted((a, b) => (a < b ? -1 : 1)).find((limit) => isAlwaysAsked(fn, node, isWithin(limit)))
}

/** One term that is asked not to be above another. */
interface Order {
  small: Term
  big: Term
}

/** Whether every way to the node passes a branch that asks for such an order, without signs. */
function isAlwaysAsked(
  { run }: FunctionFacts,
  node: Located<WriteEffect>['node'],
  isWanted: (order: Order) => boolean,
) {
  const asks = (condition: Term, taken: boolean) => {
    const order = isUnsigned(condition) ? readComparison(condition, taken) : undefined
    return order !== undefined && isWanted(order)
  }
  const open = findReachable(
    run,
    ({ condition, taken }) => condition === undefined || taken === undefined || !asks(condition, taken),
  )
  return !open.has(node)
}

/**
 * The one direction in which the write can move its field, because every way to it compares what
 * is written with what is there; `undefined` where it can move it both ways. What the function has
 * written there before is not what was there.
 */
export function directionOf(fn: FunctionFacts, { node, ...effect }: Located<WriteEffect>): 'down' | 'up' | undefined {
  const { key, shift, width, value, pc } = effect
  const isElse = (other: WriteEffect) =>
    other.pc !== pc && (other.key === key || classifyKey(other.key).id === UNKNOWN_VARIABLE)
  if (fn.effects.some((other) => other.kind === 'write' && isElse(other))) return undefined
  const isThere = (term: Term) => {
    const field = fieldOf(term)
    return field?.key === key && field.shift === shift && field.width === width
  }
  if (isAlwaysAsked(fn, node, ({ small, big }) => small === value && isThere(big))) return 'down'
  return isAlwaysAsked(fn, node, ({ small, big }) => isThere(small) && big === value) ? 'up' : undefined
}

function isUnsigned({ op, args: [inner] }: Term): boolean {
  return op === 'ISZERO' && inner ? isUnsigned(inner) : op === 'LT' || op === 'GT'
}

/** The stored field that the value is, also where a neighbour in its word was set meanwhile. */
function fieldOf(value: Term): Field | undefined {
  const key = storageKeyOf(value)
  if (key !== undefined)
    return {
      key,
      shift: value.op === 'field' ? Number(value.value) : 0,
      width: value.op === 'field' ? value.width : 256,
    }
  const [cut, mask] = value.op === 'AND' ? value.args : []
  if (cut === undefined || mask?.op !== 'const' || mask.value === 0n || (mask.value & (mask.value + 1n)) !== 0n)
    return undefined
  const [by, word] = cut.op === 'SHR' ? cut.args : []
  const [shift, whole] = by?.op === 'const' && word ? [by.value, word] : [0n, cut]
  const width = mask.value.toString(2).length
  const kept = shift < 256n ? keyOfKept(whole, mask.value << shift) : undefined
  return kept && { key: kept, shift: Number(shift), width }
}

/** The key of the word of which these bits are as they were. */
function keyOfKept(whole: Term, bits: bigint): Term | undefined {
  if (whole.op === 'sload') return whole.args[0]
  const [a, b] = whole.args
  if (a === undefined || b?.op !== 'const') return undefined
  if (whole.op === 'OR') return (b.value & bits) === 0n ? keyOfKept(a, bits) : undefined
  return whole.op === 'AND' && (b.value & bits) === bits ? keyOfKept(a, bits) : undefined
}

/** The largest that is in the field of any entry of the list now, or comes there by a call. */
function largestKept(subject: Subject, fn: FunctionFacts, field: Field, depth: number): bigint | undefined {
  const list = readList(field.key)
  let largest = list?.slot === undefined ? undefined : largestNow(subject, fn, field, { ...list, slot: list.slot })
  if (list === undefined || largest === undefined) return undefined
  for (const writer of subject.facts.functions) {
    if (isOpen(subject, writer) || mayUncover(writer, list, field)) return undefined
    for (const effect of writer.effects) {
      if (effect.kind !== 'write' || !mayMeet(effect, list, field)) continue
      const isWhole = isOfField(effect, list, field) || isNumber(effect.value, 0n)
      const most = isWhole ? largestWritten(subject, writer, effect, depth + 1) : undefined
      if (most === undefined) return undefined
      if (most > largest) largest = most
    }
  }
  return largest
}

/** Whether the function writes where its caller likes, or lets other code do so. */
const isOpen = ({ facts }: Subject, fn: FunctionFacts) =>
  findOpenSlots(facts, fn).length > 0 ||
  fn.effects.some((effect) => effect.kind === 'call' && effect.op !== 'CALL' && effect.op !== 'STATICCALL') ||
  fn.effects.some((effect) => effect.kind === 'write' && classifyKey(effect.key).id === UNKNOWN_VARIABLE)

/** Whether the write may be of the field, in some entry. */
function mayMeet({ key, shift, width }: WriteEffect, list: List, field: Field): boolean {
  if (shift >= field.shift + field.width || shift + width <= field.shift) return false
  const other = readList(key)
  if (other?.base === list.base) return other.offset === list.offset || other.step !== list.step
  return key.op === 'const' && key.value >= list.base && key.value < list.base + LONGEST
}

/** Whether all of the field is written, with zeros above or another field that the bound is for. */
const isOfField = ({ key, shift, width }: WriteEffect, list: List, field: Field) => {
  const { base, step, offset } = readList(key) ?? {}
  const isOfList = base === list.base && step === list.step && offset === list.offset
  return isOfList && shift === field.shift && width >= field.width
}

/** Whether the list may grow by an entry that was there before, and is not written anew. */
function mayUncover({ effects }: FunctionFacts, list: List, field: Field): boolean {
  const writes = effects.filter((effect) => effect.kind === 'write')
  const isOfLength = ({ key, value }: WriteEffect) => isNumber(key, list.slot ?? 0n) && value.op !== 'SUB'
  return writes.some(isOfLength) && !writes.some((write) => isOfField(write, list, field))
}

/** The largest that is there now, in a list whose end the function asks for. */
function largestNow(
  subject: Subject,
  fn: FunctionFacts,
  { shift, width }: Field,
  { slot, base, index, step, offset }: List & { slot: bigint },
): bigint | undefined {
  const length = subject.word(slot)
  const isLength = (term: Term) => {
    const of = storageKeyOf(term)
    return of !== undefined && isNumber(of, slot)
  }
  const isEndAsked = fn.conditions.some(({ term, fails }) => {
    const order = fails === undefined ? undefined : readComparison(term, !fails)
    return order?.small === index && isLength(order.big)
  })
  if (length === undefined || length > MAX_ENTRIES || !isEndAsked) return undefined
  let largest = 0n
  for (let entry = 0n; entry < length; entry += 1n) {
    const word = subject.word((base + entry * step + offset) & WORD_MASK)
    if (word === undefined) return undefined
    const value = (word >> BigInt(shift)) & ((1n << BigInt(width)) - 1n)
    if (value > largest) largest = value
  }
  return largest
}

/** Which words a key is of: `base + index * step + offset`. */
interface List {
  /** Of its length; `undefined` where the compiler has worked out the base. */
  slot: bigint | undefined
  base: bigint
  index: Term
  step: bigint
  offset: bigint
}

/** More words than any list has. */
const LONGEST = 1n << 64n
/** Words of one entry. */
const MAX_OFFSET = 16n

function readList(key: Term): List | undefined {
  const parts = key.op === 'ADD' ? key.args.flatMap((arg) => (arg.op === 'ADD' ? arg.args : [arg])) : []
  const small = parts.find(({ op, value }) => op === 'const' && value < MAX_OFFSET)
  const [data, at, more] = parts.filter((part) => part !== small).toSorted((a, b) => rankOf(a) - rankOf(b))
  if (data === undefined || at === undefined || more !== undefined || rankOf(data) > 0) return undefined
  const [slot] = data.args
  if (data.op === 'keccak' && (slot?.op !== 'const' || data.args.length > 1)) return undefined
  const base = slot ? BigInt(keccak256(hexToBytes(toPaddedHex(slot.value, 32)))) : data.value
  const [index, step] = at.op === 'MUL' ? at.args : []
  const [of, by] = index && step?.op === 'const' ? [index, step.value] : [at, 1n]
  return { slot: slot?.value, base, index: of, step: by, offset: small?.value ?? 0n }
}

/** Where the entries begin stands first: a hash, or a number beyond those of a compiler. */
const rankOf = ({ op, value }: Term) => (op === 'keccak' || (op === 'const' && value >= LONGEST) ? 0 : 1)
