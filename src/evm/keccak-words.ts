import { bytesToHex, type Hex } from '../hex.js'
import { copyInto } from '../instructions/bytes.js'
import { readWord, type Word } from '../instructions/word.js'
import { createKeccakModule, INPUT_BLOCKS, INPUT_START, RATE_BYTES } from './keccak-wasm.js'

const DIGEST_BYTES = 32

const keccak = createKeccakModule()
const memory = new Uint8Array(keccak.memory.buffer)
const view = new DataView(keccak.memory.buffer)
/** The input by lanes of 4 bytes, in the machine's own order. */
const inputLanes = new Int32Array(keccak.memory.buffer, INPUT_START, RATE_BYTES / 4)
const isLittleEndian = new Uint8Array(Int32Array.of(1).buffer)[0] === 1
/** How many bytes of input the padding that stands in memory follows. */
let paddedAfter: number | undefined

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
export function keccakPair(words: DataView, start: number): Word {
  let mixed = 0
  for (let at = start; at < start + PAIR_BYTES; at += 4) {
    mixed = Math.imul(mixed ^ words.getInt32(at), MIXER)
    mixed ^= mixed >>> 15
  }
  const place = mixed & (KEPT_PAIRS - 1)
  const first = place * PAIR_LANES
  for (let lane = 0; lane < PAIR_LANES; lane += 1)
    if (pairs[first + lane] !== words.getInt32(start + lane * 4)) return keepPair(words, start, place)
  return pairHashes[place] as Word
}

/** An odd number with its bits well spread. */
const MIXER = 0x9e3779b1

function keepPair(words: DataView, start: number, place: number): Word {
  for (let lane = 0; lane < PAIR_LANES; lane += 1) {
    pairs[place * PAIR_LANES + lane] = words.getInt32(start + lane * 4)
    inputLanes[lane] = words.getInt32(start + lane * 4, isLittleEndian)
  }
  keccak.absorb(pad(PAIR_BYTES), 1)
  const word = readWord(view, 0)
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
    paddedAfter = undefined
    fresh = 0
    from += INPUT_BLOCKS * RATE_BYTES
    left -= INPUT_BLOCKS * RATE_BYTES
  }
  copyInto(memory, INPUT_START, bytes, from, left)
  keccak.absorb(pad(left), fresh)
}

/**
 * Puts the padding behind so much input, unless it stands there already: that of Keccak before it
 * became SHA-3, which is a one bit, zeros, and a one bit at the end of the block. Returns how many
 * blocks there are.
 */
function pad(length: number): number {
  const blocks = Math.floor(length / RATE_BYTES) + 1
  if (length === paddedAfter) return blocks
  paddedAfter = length
  const end = INPUT_START + blocks * RATE_BYTES
  memory.fill(0, INPUT_START + length, end)
  memory[INPUT_START + length] = 0x01
  memory[end - 1] = (memory[end - 1] as number) | 0x80
  return blocks
}
