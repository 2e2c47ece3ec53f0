import type { Address } from '../../hex.js'

/** Uniswap's Permit2, the same on every chain (github.com/Uniswap/permit2). */
export const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** What a victim owns on the fork and has approved to the target. */
export interface Holding {
  kind: 'erc20' | 'nft' | 'multi'
  token: Address
  symbol: string
  decimals: number
  /**
   * Account and slot of the word that says how much the victim has, or, for an NFT, who owns it.
   */
  account: Address
  slot: bigint
  /** Base units; 1 for an NFT. */
  amount: bigint
  /** Whose it is, of an NFT: what it has left elsewhere is no longer taken from it. */
  owner?: Address
}

/** A part of what there is, as a number that is not round. */
export const portionOf = ({ kind, amount }: Holding): bigint =>
  kind === 'erc20' ? (amount * 3n) / 5n + 11n : amount / 2n + 1n

/** Multi-tokens (ERC-1155) of each victim. */
export const MULTI_AMOUNT = 40n

/**
 * Where the words of a call that takes something stand, counted from the first word after the
 * selector.
 */
export interface PullForm {
  standard: 'erc20' | 'nft' | 'multi' | 'permit2'
  from: number
  to: number
  /** `undefined` for NFTs. */
  amount: number | undefined
  id: number | undefined
  /** `undefined`: the contract that is called is the token. */
  token: number | undefined
}

const form = (standard: PullForm['standard'], rest: Partial<PullForm> = {}): PullForm => {
  return { standard, from: 0, to: 1, amount: undefined, id: undefined, token: undefined, ...rest }
}

/** By selector: how contracts take what another account owns. */
export const PULLS: Readonly<Record<string, PullForm>> = {
  // transferFrom(address,address,uint256) of EIP-20; EIP-721 has the same
  '0x23b872dd': form('erc20', { amount: 2 }),
  // safeTransferFrom(address,address,uint256) without and with bytes (EIP-721)
  '0x42842e0e': form('nft', { id: 2 }),
  '0xb88d4fde': form('nft', { id: 2 }),
  // safeTransferFrom(address,address,uint256,uint256,bytes), and safeBatchTransferFrom with its two
  // lists (EIP-1155)
  '0xf242432a': form('multi', { id: 2, amount: 3 }),
  '0x2eb2c2d6': form('multi', { id: 6, amount: 8 }),
  // Permit2: transferFrom(address,address,uint160,address), and of a list of such
  '0x36c78516': form('permit2', { amount: 2, token: 3 }),
  '0x0d58b1db': form('permit2', { from: 2, to: 3, amount: 4, token: 5 }),
}
