import { keccakHex } from '../evm/keccak-words.js'
import type { Address, Hex } from '../hex.js'

/** Where `factory` puts a contract of this creation code (EIP-1014). */
export function create2Address(factory: Address, salt: Hex, initCodeHash: Hex): Address {
  return `0x${hashOf('0xff', factory, salt, initCodeHash).slice(26)}`
}

/** Where `factory` puts a minimal proxy of `implementation` (EIP-1167). */
export function cloneAddress(factory: Address, salt: Hex, implementation: Address): Address {
  const initCodeHash = hashOf(
    '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
  )
  return create2Address(factory, salt, initCodeHash)
}

/** keccak-256 of these bytes one after the other. */
export function hashOf(...parts: readonly Hex[]): Hex {
  return keccakHex(Buffer.from(parts.map((part) => part.slice(2)).join(''), 'hex'))
}

/** The order in which both Uniswap generations name a pool's tokens. */
export function sortTokens(a: Address, b: Address): [Address, Address] {
  return a < b ? [a, b] : [b, a]
}
