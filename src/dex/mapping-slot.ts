import { keccak256 } from '../evm/keccak-words.js'
import { type Address, bytesToHex, type Hex } from '../hex.js'

/**
 * Where Solidity keeps `mapping[key]` of the mapping at slot `base`: keccak256(key . base), each
 * padded to a word.
 */
export function mappingSlot(base: bigint, key: Hex | bigint): bigint {
  if (typeof key === 'bigint') writeWord(0, key)
  else writeHex(key)
  writeWord(WORD_BYTES, base)
  return toBigInt(keccak256(words))
}

/** Where Solidity keeps `mapping[outer][inner]`. */
export function nestedMappingSlot(base: bigint, outer: Address, inner: Address): bigint {
  writeHex(outer)
  writeWord(WORD_BYTES, base)
  // The hash is the base of the inner mapping, so it stays as it is.
  words.set(keccak256(words), WORD_BYTES)
  writeHex(inner)
  return toBigInt(keccak256(words))
}

const WORD_BYTES = 32
const QUARTERS = 4
/** Most places are numbered from zero, and written in one go. */
const MAX_SHORT = 0xffff_ffffn
/**
 * Key and base of the hash at hand: a read-ahead works out hundreds of them, and nothing waits in
 * between.
 */
const words = Buffer.alloc(2 * WORD_BYTES)

function toBigInt(digest: Uint8Array): bigint {
  return BigInt(bytesToHex(digest))
}

function writeWord(at: number, value: bigint): void {
  if (value >= 0n && value <= MAX_SHORT) {
    words.fill(0, at, at + WORD_BYTES)
    words.writeUInt32BE(Number(value), at + WORD_BYTES - 4)
    return
  }
  if (value >> 256n !== 0n) throw new RangeError(`0x${value.toString(16)} is no word`)
  for (let i = 0; i < QUARTERS; i += 1) {
    words.writeBigUInt64BE(BigInt.asUintN(64, value >> BigInt(64 * (QUARTERS - 1 - i))), at + 8 * i)
  }
}

/** An address or a word, to the right of the first word. */
function writeHex(key: Hex): void {
  const size = (key.length - 2) / 2
  words.fill(0, 0, WORD_BYTES - size)
  if (words.write(key.slice(2), WORD_BYTES - size, 'hex') !== size) throw new RangeError('a key is whole bytes of hex')
}
