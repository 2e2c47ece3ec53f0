import { type Address, type Hex, toPaddedHex } from '../hex.js'
import { hashOf } from './create2.js'

/** Where Solidity keeps `mapping[key]` of the mapping at slot `base`: keccak256(key . base), each padded to a word. */
export function mappingSlot(base: bigint, key: Hex | bigint): bigint {
  return BigInt(hashOf(toPaddedHex(BigInt(key), 32), toPaddedHex(base, 32)))
}

/** Where Solidity keeps `mapping[outer][inner]`. */
export function nestedMappingSlot(base: bigint, outer: Address, inner: Address): bigint {
  return mappingSlot(mappingSlot(base, outer), inner)
}
