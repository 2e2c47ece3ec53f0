import { bytesToHex, type Hex } from '../hex.js'
import { readWord, type Word } from '../instructions/word.js'
import { createKeccakModule, INPUT_BLOCKS, INPUT_START, RATE_BYTES } from './keccak-wasm.js'

const DIGEST_BYTES = 32
/** Below this, a loop copies faster than a view is made. */
const SHORT_BYTES = 128

const keccak = createKeccakModule()
const memory = new Uint8Array(keccak.memory.buffer)
const view = new DataView(keccak.memory.buffer)

export function keccak256(bytes: Uint8Array): Uint8Array {
  hash(bytes, 0, bytes.length)
  return memory.slice(0, DIGEST_BYTES)
}

export function keccakHex(bytes: Uint8Array): Hex {
  return bytesToHex(keccak256(bytes))
}

/** The hash of a part of `bytes`, as the interpreter keeps it. */
export function keccakWord(bytes: Uint8Array, start: number, length: number): Word {
  hash(bytes, start, length)
  return readWord(view, 0)
}

/** Two words, as keys of mappings are hashed from. */
export const PAIR_BYTES = 64
const PAIR_LANES = PAIR_BYTES / 4
/**
 * A power of two. A check trades the same token some hundred times, and each trade hashes the same
 * dozen keys.
 */
const KEPT_PAIRS = 1_024
const pairs = new Int32Array(KEPT_PAIRS * PAIR_LANES)
const pairHashes: Word[] = new Array<Word>(KEPT_PAIRS).fill(keccakWord(new Uint8Array(PAIR_BYTES), 0, PAIR_BYTES))

/**
 * As {@link keccakWord} for the two words at `start`; each pair has one place among those that are
 * remembered, by its content, and the last one of a place stays.
 */
export function keccakPair(bytes: Uint8Array, words: DataView, start: number): Word {
  let mixed = 0
  for (let at = start; at < start + PAIR_BYTES; at += 4) {
    mixed = Math.imul(mixed ^ words.getInt32(at), MIXER)
    mixed ^= mixed >>> 15
  }
  const place = mixed & (KEPT_PAIRS - 1)
  const first = place * PAIR_LANES
  for (let lane = 0; lane < PAIR_LANES; lane += 1)
    if (pairs[first + lane] !== words.getInt32(start + lane * 4)) return keepPair(bytes, words, start, place)
  return pairHashes[place] as Word
}

/** An odd number with its bits well spread. */
const MIXER = 0x9e3779b1

function keepPair(bytes: Uint8Array, words: DataView, start: number, place: number): Word {
  const word = keccakWord(bytes, start, PAIR_BYTES)
  for (let lane = 0; lane < PAIR_LANES; lane += 1) pairs[place * PAIR_LANES + lane] = words.getInt32(start + lane * 4)
  pairHashes[place] = word
  return word
}

/** Leaves the digest at the start of the module's memory. */
function hash(bytes: Uint8Array, start: number, length: number): void {
  let from = start
  let left = length
  let fresh = 1
  while (left >= INPUT_BLOCKS * RATE_BYTES) {
    memory.set(bytes.subarray(from, from + INPUT_BLOCKS * RATE_BYTES), INPUT_START)
    keccak.absorb(INPUT_BLOCKS, fresh)
    fresh = 0
    from += INPUT_BLOCKS * RATE_BYTES
    left -= INPUT_BLOCKS * RATE_BYTES
  }
  if (left <= SHORT_BYTES)
    for (let index = 0; index < left; index += 1) memory[INPUT_START + index] = bytes[from + index] as number
  else memory.set(bytes.subarray(from, from + left), INPUT_START)
  // The padding of Keccak before it became SHA-3: a one bit, zeros, and a one bit at the end of the
  // block.
  const blocks = Math.floor(left / RATE_BYTES) + 1
  const end = INPUT_START + blocks * RATE_BYTES
  memory.fill(0, INPUT_START + left, end)
  memory[INPUT_START + left] = 0x01
  memory[end - 1] = (memory[end - 1] as number) | 0x80
  keccak.absorb(blocks, fresh)
}
