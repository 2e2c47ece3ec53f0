import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Address, bytesToHex, hexToBytes, toPaddedHex } from '../hex.js'

/** Where Solidity keeps `mapping[key]` of the mapping at slot `base`: keccak256(key . base), each padded to a word. */
export function mappingSlot(base: bigint, key: Address): bigint {
  const preimage = `${'0'.repeat(24)}${key.slice(2)}${toPaddedHex(base, 32).slice(2)}`
  return BigInt(bytesToHex(keccak_256(hexToBytes(preimage))))
}

/** Where Solidity keeps `mapping[outer][inner]`. */
export function nestedMappingSlot(base: bigint, outer: Address, inner: Address): bigint {
  return mappingSlot(mappingSlot(base, outer), inner)
}
