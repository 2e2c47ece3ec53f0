import type { Chain } from './chain.js'
import { UNISWAP_V4_TIERS } from './uniswap-v4-tiers.js'

/**
 * Addresses: PancakeSwap's developer pages, BscScan token pages. Fork days: BNB Chain's hard fork
 * announcements.
 */
export const bsc: Chain = {
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
  v2: [
    {
      name: 'PancakeSwap V2',
      pairKind: 'uniswap',
      factory: '0xca143ce32fe78f1f7019d7d551a6402fc5350c73',
      router: '0x10ed43c718714eb63d5aa57b78b54704e256024e',
      initCodeHash: '0x00fb7f630766e6a796048ea87d01acd3068e8ff67d078148a3fa3f4a84f69bd5',
      feeBps: 25,
    },
    {
      name: 'Uniswap V2',
      pairKind: 'uniswap',
      factory: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
      router: '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24',
      initCodeHash: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
      feeBps: 30,
    },
    {
      name: 'SushiSwap V2',
      pairKind: 'uniswap',
      factory: '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
      router: '0x1b02da8cb0d097eb8d57a175b88c7d8b47997506',
      initCodeHash: '0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303',
      feeBps: 30,
    },
  ],
  v3: [
    {
      name: 'PancakeSwap V3',
      poolKind: 'pancakeswap',
      factory: '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865',
      poolDeployer: '0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9',
      router: '0x1b81d678ffb9c0263b24a97847620c99d213eb14',
      routerTakesDeadline: true,
      quoter: '0xb048bbc1ee6b733fffcfb9e9cef7375518e25997',
      initCodeHash: '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2',
      feeTiers: [2_500, 10_000, 500, 100],
    },
    {
      name: 'Uniswap V3',
      poolKind: 'uniswap',
      factory: '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7',
      poolDeployer: '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7',
      router: '0xb971ef87ede563556b2ed4b1c0b0019111dd85d2',
      routerTakesDeadline: false,
      quoter: '0x78d78e420da98ad378d7799be8f4af69033eb077',
      initCodeHash: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
      feeTiers: [3_000, 10_000, 500, 100],
    },
  ],
  v4: [
    {
      name: 'Uniswap V4',
      poolManager: '0x28e2ea090877bf75740558f6bfb36a5ffee9e9df',
      positionManager: '0x7a4a5c919ae2541aed11041a1aeee68f1287f95b',
      router: '0x1906c1d672b88cd1b9ac7593301ca990f94eae07',
      permit2: '0x000000000022d473030f116ddee9f6b43ac78ba3',
      tiers: UNISWAP_V4_TIERS,
    },
  ],
  solidly: [],
  slipstream: [],
  algebra: [],
  hardforks: [
    { name: 'shanghai', since: 1_705_996_800 },
    { name: 'cancun', since: 1_718_863_500 },
    { name: 'prague', since: 1_742_436_600 },
    { name: 'osaka', since: 1_777_343_400 },
  ],
  blobSchedule: [{ since: 1_718_863_500, updateFraction: 3_338_477n }],
}
