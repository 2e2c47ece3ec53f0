import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, type Hex } from '../hex.js'
import { type Word, wordFromBytes } from './word.js'

export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes)
}

export function keccakHex(bytes: Uint8Array): Hex {
  return bytesToHex(keccak256(bytes))
}

/** The hash of a part of `bytes`, as the interpreter keeps it. */
export function keccakWord(bytes: Uint8Array, start: number, length: number): Word {
  return wordFromBytes(keccak256(bytes.subarray(start, start + length)))
}
