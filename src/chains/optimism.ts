import type { Chain } from './chain.js'
import { UNISWAP_V4_TIERS } from './uniswap-v4-tiers.js'

/**
 * Addresses: Uniswap's deployment pages, Velodrome's repository; the proofs of block 132799000
 * carry code at Velodrome's three. Fork times: the OP Stack upgrade pages (Canyon, Ecotone,
 * Isthmus). When Osaka's rules began here is not known: without them a trade is only stricter.
 */
export const optimism: Chain = {
  id: 10,
  name: 'OP Mainnet',
  slug: 'optimism',
  stack: 'op',
  nativeSymbol: 'ETH',
  blockTimeMs: 2_000,
  numberSource: 'block',
  numberTimeMs: 2_000,
  defaultRpcUrls: [
    'https://mainnet.optimism.io',
    'https://optimism-rpc.publicnode.com',
    'https://optimism.llamarpc.com',
  ],
  wrappedNative: '0x4200000000000000000000000000000000000006',
  watchedTokens: [
    { symbol: 'USDT', address: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58', decimals: 6 },
    { symbol: 'USDC', address: '0x0b2c639c533813f4aa9d7837caf62653d097ff85', decimals: 6 },
    { symbol: 'WETH', address: '0x4200000000000000000000000000000000000006', decimals: 18 },
  ],
  v2: [
    {
      name: 'Uniswap V2',
      pairKind: 'uniswap',
      factory: '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf',
      router: '0x4a7b5da61326a6379179b40d00f57e5bbdc962c2',
      initCodeHash: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
      feeBps: 30,
    },
  ],
  v3: [
    {
      name: 'Uniswap V3',
      poolKind: 'uniswap',
      factory: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
      poolDeployer: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
      router: '0xe592427a0aece92de3edee1f18e0157c05861564',
      routerTakesDeadline: true,
      quoter: '0xb27308f9f90d607463bb33ea1bebb41c27ce5ab6',
      initCodeHash: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
      feeTiers: [3_000, 10_000, 500, 100],
    },
  ],
  v4: [
    {
      name: 'Uniswap V4',
      poolManager: '0x9a13f98cb987694c9f086b1f5eb990eea8264ec3',
      positionManager: '0x3c3ea4b57a46241e54610e5f022e5c45859a1017',
      router: '0x851116d9223fabed8e56c0e6b8ad0c31d98b3507',
      permit2: '0x000000000022d473030f116ddee9f6b43ac78ba3',
      tiers: UNISWAP_V4_TIERS,
    },
  ],
  solidly: [
    {
      name: 'Velodrome V2',
      factory: '0xf1046053aa5682b4f9a81b5481394da16be5ff5a',
      router: '0xa062ae8a9c5e11aaa026fc2670b0d65ccc8b2858',
      poolImplementation: '0x95885af5492195f0754be71ad1545fe81364e531',
    },
  ],
  slipstream: [],
  algebra: [],
  hardforks: [
    { name: 'paris', since: 1_686_068_903 },
    { name: 'shanghai', since: 1_704_992_401 },
    { name: 'cancun', since: 1_710_374_401 },
    { name: 'prague', since: 1_746_806_401 },
  ],
}
