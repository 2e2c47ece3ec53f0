import type { Address } from '../../hex.js'

/**
 * Entry points of ERC-4337, 0.6 to 0.9 (github.com/eth-infinitism/account-abstraction): made by
 * CREATE2, the same on every chain. No account has such an address, whether the contract is on
 * this chain or not; it does what the account that it calls has agreed to.
 */
const ENTRY_POINTS: ReadonlySet<string> = new Set([
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
  '0x433709009b8330fda32311df1c2afa402ed8d009',
])

export const isEntryPoint = (address: Address): boolean => ENTRY_POINTS.has(address)
