import { bytesToHex } from '../../hex.js'
import { TWO_32, type Word } from '../../instructions/word.js'
import type { StepEvent } from '../inspector.js'
import type { Decision, FollowedFrame } from './decision.js'
import { operation, type Placed, type Term } from './term.js'

/*
 * Memory, calldata and answers as far as values are followed through them: words by the offset at
 * which they were stored, the last one last.
 */

export const WORD = 32
/** Words of a hash whose parts are followed. */
const MAX_HASHED_WORDS = 8
/** Words that one copy carries along. */
const MAX_COPIED_WORDS = 256

/** A word of the stack as an offset. */
export const offsetAt = (event: StepEvent, index: number): number => toOffset(event.stackWord(index))

/** What copies words, or leaves with some, does to what is followed. */
export function moveWords(frame: FollowedFrame, event: StepEvent, name: string, isRaw: boolean): void {
  const { memory } = frame
  const at = (index: number) => offsetAt(event, index)
  switch (name) {
    case 'CALLDATACOPY':
      if (isRaw) copyRaw(frame.input, at(1), memory, at(0), at(2))
      copy(frame.calldata, at(1), memory, at(0), at(2))
      return
    case 'RETURNDATACOPY':
      copy(frame.returned, at(1), memory, at(0), at(2))
      return
    case 'MCOPY':
      copy(new Map(memory), at(1), memory, at(0), at(2))
      return
    default:
      frame.leaving = copy(memory, at(0), new Map(), 0, at(1))
  }
}

/** What a call takes along, and where its answer will lie. */
export function leaveForCall(frame: FollowedFrame, event: StepEvent, name: string): void {
  const first = name === 'CALL' || name === 'CALLCODE' ? 3 : 2
  const at = (index: number) => offsetAt(event, first + index)
  frame.leaving = copy(frame.memory, at(0), new Map(), 0, at(1))
  frame.outputAt = at(2)
  frame.outputSize = at(3)
}

/** What a call that ended gives its caller, and the branch that began its failure. */
export function takeAnswer(frame: FollowedFrame, callee: FollowedFrame, began: Decision | undefined): void {
  // A failure that the caller survives is not why it fails later, but a later one may be.
  frame.ofCallee = began ?? frame.ofCallee
  frame.returned = callee.leaving
  copy(callee.leaving, 0, frame.memory, frame.outputAt, frame.outputSize)
}

export function toOffset(word: Word): number {
  return word < TWO_32 ? Number(word) : Number.MAX_SAFE_INTEGER
}

/** The words that begin within a region of a length that code hashes, not data. */
export function readWords(memory: ReadonlyMap<number, Term>, at: number, length: number): Placed[] {
  const words: Placed[] = []
  if (length > MAX_HASHED_WORDS * WORD) return words
  for (const [offset, term] of memory) if (offset >= at && offset < at + length) words.push([offset - at, term])
  return words
}

export function placeLast(memory: Map<number, Term>, offset: number, term: Term): void {
  memory.delete(offset)
  memory.set(offset, term)
}

/** Without those that other bytes have overwritten meanwhile. */
export function wordsAsPassed(words: ReadonlyMap<number, Term>, input: Uint8Array): Map<number, Term> {
  const isPassed = ([at, { value }]: [number, Term]) =>
    at + WORD <= input.length && BigInt(bytesToHex(input.subarray(at, at + WORD))) === value
  return new Map([...words].filter(isPassed))
}

/**
 * Words that are copied out of the call data, each an argument of its own; of the last one, no more
 * than is copied.
 */
export function copyRaw(input: Uint8Array, at: number, to: Map<number, Term>, start: number, length: number): void {
  const words = Math.min(MAX_COPIED_WORDS, Math.ceil(length / WORD))
  for (let word = 0; word < words && at + word * WORD < input.length; word += 1) {
    const offset = at + word * WORD
    const argument: Term = { kind: 'argument', offset, value: wordAt(input, offset) }
    const bytes = length - word * WORD
    const copied = bytes < WORD ? operation('AND', [argument, constant(lowBits(WORD - bytes) ^ ALL_BITS)]) : argument
    placeLast(to, start + word * WORD, copied)
  }
}

/**
 * The word at an offset where no word was stored, but one within the word's length before it, as
 * single bytes of a text are read; `value` is what the machine loads. `undefined` where none was.
 */
export function betweenWords(memory: ReadonlyMap<number, Term>, at: number, value: bigint): Term | undefined {
  for (let bytes = 1; bytes < WORD; bytes += 1) {
    const first = memory.get(at - bytes)
    if (first === undefined) continue
    const next = memory.get(at - bytes + WORD)
    const bits = BigInt(8 * bytes)
    const upper = operation('SHL', [constant(bits), first])
    const lower = next ? operation('SHR', [constant(256n - bits), next]) : constant(value & lowBits(bytes))
    const whole = operation('OR', [upper, lower])
    return whole.value === value ? whole : undefined
  }
  return undefined
}

const ALL_BITS = 2n ** 256n - 1n
const lowBits = (bytes: number) => (1n << BigInt(8 * bytes)) - 1n
const constant = (value: bigint): Term => ({ kind: 'constant', value })

/** A word of call data, which end in zeros. */
function wordAt(input: Uint8Array, offset: number): bigint {
  const word = new Uint8Array(WORD)
  word.set(input.subarray(offset, offset + WORD))
  return BigInt(bytesToHex(word))
}

/** Copies the words that lie whole within the region, to the same distance from the start. */
export function copy(
  from: ReadonlyMap<number, Term>,
  at: number,
  to: Map<number, Term>,
  start: number,
  length: number,
): Map<number, Term> {
  let left = MAX_COPIED_WORDS
  for (const [offset, term] of from) {
    if (offset < at || offset + WORD > at + length) continue
    left -= 1
    if (left < 0) break
    placeLast(to, start + offset - at, term)
  }
  return to
}
