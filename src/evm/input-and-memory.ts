import { copyOf } from '../instructions/bytes.js'
import { readWord, type Word, wordFromPrefix } from '../instructions/word.js'
import type { Frame } from './frame.js'
import { keccakPair, keccakWord, PAIR_BYTES } from './keccak-words.js'
import type { Machine } from './machine.js'

/** CALLDATALOAD */
export function readInput(frame: Frame, offset: Word): Word {
  const { inputStart, inputLength } = frame
  if (typeof offset !== 'number' || offset >= inputLength) return 0
  if (offset + 32 <= inputLength) return readWord(frame.inputView, inputStart + offset)
  return wordFromPrefix(copyOf(frame.input, inputStart + offset, inputLength - offset))
}

/** KECCAK256 of memory that is paid for. */
export function hashMemory(machine: Machine, frame: Frame, offset: Word, length: number): Word {
  const { memory, view } = frame
  const start = length === 0 ? 0 : (offset as number)
  const hash = length === PAIR_BYTES ? keccakPair(view, start) : keccakWord(memory, start, length)
  machine.strangers.noteHash(memory, start, length, hash)
  return hash
}

/** The lowest byte of a word, as MSTORE8 stores it. */
export function lowByte(word: Word): number {
  return typeof word === 'number' ? word % 256 : Number(BigInt.asUintN(8, word))
}
