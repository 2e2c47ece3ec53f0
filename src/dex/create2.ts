import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Address, bytesToHex, type Hex, hexToBytes } from '../hex.js'

/** Where `factory` puts a contract of this creation code (EIP-1014). */
export function create2Address(factory: Address, salt: Hex, initCodeHash: Hex): Address {
  return bytesToHex(
    keccak_256(hexToBytes(`0xff${factory.slice(2)}${salt.slice(2)}${initCodeHash.slice(2)}`)).subarray(12),
  )
}

/** The order in which both Uniswap generations name a pool's tokens. */
export function sortTokens(a: Address, b: Address): [Address, Address] {
  return a < b ? [a, b] : [b, a]
}
