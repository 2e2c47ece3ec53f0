import type { Address } from '../hex.js'

/** The registry of ERC-1820. */
export const REGISTRY: Address = '0x1820a4b7618bde71dce8cdc73aab6c95905fad24'

/**
 * Places where only one code can ever be, by the signature or the salt that it is deployed with:
 * the registry of ERC-1820, Permit2, Multicall3 and the common deployer of CREATE2.
 */
export const FIXED_PLACES: ReadonlySet<Address> = new Set<Address>([
  REGISTRY,
  '0x000000000022d473030f116ddee9f6b43ac78ba3',
  '0xca11bde05977b3631167028862be2a173976ca11',
  '0x4e59b44847b379578588920ca78fbf26c0b4956c',
])
