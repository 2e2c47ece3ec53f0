import type { Address } from '../hex.js'

/**
 * What blocks of a chain look like, for contracts that look at them. Typical values of late 2025,
 * not exact ones.
 */
export interface BlockTraits {
  gasLimit: bigint
  baseFeePerGas: bigint
  coinbase: Address
}

const GWEI = 1_000_000_000n

/**
 * COINBASE: a builder on Ethereum, a validator on BSC, the fee vault on Base and OP Mainnet, the
 * sequencer on Arbitrum. Base fee on BSC: BEP-226.
 */
export const blockTraits: Record<number, BlockTraits> = {
  1: { gasLimit: 60_000_000n, baseFeePerGas: GWEI, coinbase: '0x95222290dd7278aa3ddd389cc1e1d165cc4bafe5' },
  56: { gasLimit: 75_000_000n, baseFeePerGas: 0n, coinbase: '0x72b61c6014342d914470ec7ac2975be345796c2b' },
  10: { gasLimit: 60_000_000n, baseFeePerGas: GWEI / 1_000n, coinbase: '0x4200000000000000000000000000000000000011' },
  8453: { gasLimit: 300_000_000n, baseFeePerGas: GWEI / 100n, coinbase: '0x4200000000000000000000000000000000000011' },
  // A sentinel, not a limit.
  42161: { gasLimit: 1n << 50n, baseFeePerGas: GWEI / 100n, coinbase: '0xa4b000000000000000000073657175656e636572' },
}
