import { defineChain } from './chain.js'
import { pancakeswapV2, pancakeswapV3, sushiswapV2, uniswapV2, uniswapV3, uniswapV4 } from './exchanges.js'

/**
 * Addresses: PancakeSwap's developer pages, BscScan token pages. Fork days: BNB Chain's hard fork
 * announcements.
 */
export const bsc = defineChain({
  id: 56,
  name: 'BNB Smart Chain',
  slug: 'bsc',
  stack: 'own',
  nativeSymbol: 'BNB',
  blockTimeMs: 450,
  numberSource: 'block',
  numberTimeMs: 450,
  defaultRpcUrls: [
    'https://bsc-dataseed.bnbchain.org',
    'https://bsc-rpc.publicnode.com',
    'https://bsc-dataseed1.defibit.io',
  ],
  wrappedNative: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
  watchedTokens: [
    { symbol: 'BSC-USD', address: '0x55d398326f99059ff775485246999027b3197955', decimals: 18 },
    { symbol: 'USDC', address: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', decimals: 18 },
    { symbol: 'WBNB', address: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c', decimals: 18 },
  ],
  exchanges: [
    pancakeswapV2({
      factory: '0xca143ce32fe78f1f7019d7d551a6402fc5350c73',
      router: '0x10ed43c718714eb63d5aa57b78b54704e256024e',
      initCodeHash: '0x00fb7f630766e6a796048ea87d01acd3068e8ff67d078148a3fa3f4a84f69bd5',
    }),
    uniswapV2({
      factory: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
      router: '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24',
    }),
    sushiswapV2({
      factory: '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
      router: '0x1b02da8cb0d097eb8d57a175b88c7d8b47997506',
    }),
    pancakeswapV3(),
    uniswapV3({
      factory: '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7',
      router: '0xb971ef87ede563556b2ed4b1c0b0019111dd85d2',
      quoter: '0x78d78e420da98ad378d7799be8f4af69033eb077',
      positionManager: '0x7b8a01b39d58278b5de7e48c8449c9f4f5170613',
      routerTakesDeadline: false,
    }),
    uniswapV4({
      poolManager: '0x28e2ea090877bf75740558f6bfb36a5ffee9e9df',
      positionManager: '0x7a4a5c919ae2541aed11041a1aeee68f1287f95b',
      router: '0x1906c1d672b88cd1b9ac7593301ca990f94eae07',
    }),
  ],
  hardforks: [
    { name: 'shanghai', since: 1_705_996_800 },
    { name: 'cancun', since: 1_718_863_500 },
    { name: 'prague', since: 1_742_436_600 },
    { name: 'osaka', since: 1_777_343_400 },
  ],
  blobSchedule: [{ since: 1_718_863_500, updateFraction: 3_338_477n }],
  // P256VERIFY since Haber.
  engine: { p256: { since: 'cancun', gas: 3_450 }, system: 'bsc' },
  wellKnownTokens: [
    { symbol: 'USDT', name: 'Tether USD', address: '0x55d398326f99059ff775485246999027b3197955' },
    { symbol: 'USDC', name: 'USD Coin', address: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d' },
    { symbol: 'WBNB', name: 'Wrapped BNB', address: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c' },
    { symbol: 'CAKE', name: 'PancakeSwap Token', address: '0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82' },
  ],
  lockers: {
    '0xc765bddb93b0d1c1a88282ba0fa6b2d00e3e0c83': 'UNCX',
    '0x407993575c91ce7643a4d4ccacc9a98c36ee1bbe': 'PinkLock',
  },
  // No base fee (BEP-226), and a validator's coinbase.
  devnet: { gasLimit: 75_000_000n, baseFeePerGas: 0n, coinbase: '0x72b61c6014342d914470ec7ac2975be345796c2b' },
})
