import { isClock } from '../../bytecode/clock-terms.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import { type Source, storageSource, UNKNOWN_STORAGE, UNKNOWN_VARIABLE } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import type { Term } from '../../bytecode/terms.js'
import { readTokenFacts } from '../../bytecode/token-facts.js'
import { hexToBytes, toPaddedHex } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import type { Subject } from './subject.js'

/** Whether a condition orders the clock as it never comes to be. */
export function neverComesToPass(subject: Subject, term: Term, hostile: boolean): boolean {
  const order = readStrictOrder(term, hostile)
  return order !== undefined && (isPastAhead(subject, order) || isBeyondReach(order))
}

/** Seconds come so far in the year 2106, and blocks later. */
const REACHED = 0xffffffffn

/** The clock runs past what its type can hold (`SafeCast.toUint48(block.number)`). */
const isBeyondReach = ({ small, big }: Order): boolean =>
  small.op === 'const' && small.value >= REACHED && isClock(plain(big))

/**
 * A moment that was noted lies ahead of the clock, where all that is ever noted there is the clock
 * itself. Checkpoints of votes are kept in order so.
 */
function isPastAhead(subject: Subject, order: Order): boolean {
  const small = plain(order.small)
  if (!isClock(small)) return false
  const field = readField(order.big)
  if (field === undefined) return false
  const { writesOf } = readTokenFacts(subject.facts)
  const writes = [...field.sources, UNKNOWN_STORAGE].flatMap(writesOf)
  return (
    writes.length > 0 &&
    writes.every(({ effect }) => {
      const shift = field.shift - effect.shift
      return isWithin(effect, field) && isClockIn(effect.value, { shift, width: field.width }, small.op)
    })
  )
}

interface Bits {
  shift: number
  width: number
}

const isWithin = (outer: Bits, inner: Bits) =>
  outer.shift <= inner.shift && outer.shift + outer.width >= inner.shift + inner.width

/** `small < big`, never equal. */
interface Order {
  small: Term
  big: Term
}

/** `undefined` where a term orders less than that. */
function readStrictOrder(term: Term, holds: boolean): Order | undefined {
  const [a, b] = term.args
  if (term.op === 'ISZERO' && a) return readStrictOrder(a, !holds)
  if (!holds || a === undefined || b === undefined) return undefined
  if (term.op === 'LT') return { small: a, big: b }
  return term.op === 'GT' ? { small: b, big: a } : undefined
}

function readField(term: Term): (Bits & { sources: Source[] }) | undefined {
  const key = storageKeyOf(term)
  if (key === undefined) return undefined
  const { id } = classifyKey(key)
  if (id === UNKNOWN_VARIABLE) return undefined
  const [shift, width] = term.op === 'sload' ? [0, 256] : [Number(term.value), term.width]
  return { sources: namesOf(id).map((name) => storageSource(name, { shift, width })), shift, width }
}

/** An element of a list is also known by where the compiler has computed that the list begins. */
function namesOf(id: string): string[] {
  const slot = /^(0x[0-9a-f]{1,16})\(\*\)$/.exec(id)?.[1]
  if (slot === undefined) return [id]
  return [id, `0x${BigInt(keccak256(hexToBytes(toPaddedHex(BigInt(slot), 32)))).toString(16)}(*)`]
}

/** Whether these bits of the value are the clock, or nothing. */
function isClockIn(value: Term, bits: Bits, clock: string): boolean {
  const { shift, width } = bits
  if (value.op === 'OR') return value.args.every((part) => isBeside(part, bits) || isClockIn(part, bits, clock))
  if (value.op === 'const') return ((value.value >> BigInt(shift)) & ((1n << BigInt(width)) - 1n)) === 0n
  return shift === 0 && plain(value).op === clock
}

/** Whether what is shifted to its place, or cut off, has nothing of these bits. */
function isBeside({ op, args: [a, b] }: Term, { shift, width }: Bits): boolean {
  const end = 1n << BigInt(shift + width)
  if (op === 'MUL') return [a, b].some((part) => part?.op === 'const' && part.value !== 0n && part.value % end === 0n)
  if (op === 'SHL') return a?.op === 'const' && a.value >= BigInt(shift + width)
  const taken = end - (1n << BigInt(shift))
  return op === 'AND' && [a, b].some((part) => part?.op === 'const' && (part.value & taken) === 0n)
}

/** Without the mask that a narrower type puts on it. */
function plain(term: Term): Term {
  const [a, b] = term.args
  if (term.op !== 'AND' || a === undefined || b === undefined) return term
  if (isLowMask(b)) return plain(a)
  return isLowMask(a) ? plain(b) : term
}

const isLowMask = ({ op, value }: Term) => op === 'const' && value > 0n && (value & (value + 1n)) === 0n
