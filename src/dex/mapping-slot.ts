import { keccak256 } from '../evm/keccak.js'
import type { Address, Hex } from '../hex.js'

/** Where Solidity keeps `mapping[key]` of the mapping at slot `base`: keccak256(key . base), each padded to a word. */
export function mappingSlot(base: bigint, key: Hex | bigint): bigint {
  if (typeof key === 'bigint') writeWord(0, key)
  else writeHex(key)
  writeWord(WORD_BYTES, base)
  return BigInt(`0x${Buffer.from(keccak256(words).buffer).toString('hex')}`)
}

/** Where Solidity keeps `mapping[outer][inner]`. */
export function nestedMappingSlot(base: bigint, outer: Address, inner: Address): bigint {
  return mappingSlot(mappingSlot(base, outer), inner)
}

const WORD_BYTES = 32
const QUARTERS = 4
/** Key and base of the hash at hand: a read-ahead works out hundreds of them, and nothing waits in between. */
const words = Buffer.alloc(2 * WORD_BYTES)

function writeWord(at: number, value: bigint): void {
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
