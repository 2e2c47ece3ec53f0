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
