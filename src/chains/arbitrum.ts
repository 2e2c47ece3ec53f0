import type { Chain } from './chain.js'
import { UNISWAP_V4_TIERS } from './uniswap-v4-tiers.js'

/**
 * Addresses: Uniswap's and SushiSwap's deployment pages, Arbiscan token pages. Fork days: the ArbOS
 * release notes.
 */
export const arbitrum: Chain = {
  id: 42161,
  name: 'Arbitrum One',
  slug: 'arbitrum',
  stack: 'own',
  nativeSymbol: 'ETH',
  blockTimeMs: 250,
  numberSource: 'l1',
  numberTimeMs: 12_000,
  defaultRpcUrls: [
    'https://arb1.arbitrum.io/rpc',
    'https://arbitrum-one-rpc.publicnode.com',
    'https://arbitrum.llamarpc.com',
  ],
  wrappedNative: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
  watchedTokens: [
    { symbol: 'USDT', address: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9', decimals: 6 },
    { symbol: 'USDC', address: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', decimals: 6 },
    { symbol: 'WETH', address: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1', decimals: 18 },
  ],
  v2: [
    {
      name: 'SushiSwap V2',
      pairKind: 'uniswap',
      factory: '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
      router: '0x1b02da8cb0d097eb8d57a175b88c7d8b47997506',
      initCodeHash: '0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303',
      feeBps: 30,
    },
    {
      name: 'Uniswap V2',
      pairKind: 'uniswap',
      factory: '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9',
      router: '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24',
      initCodeHash: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
      feeBps: 30,
    },
    {
      name: 'PancakeSwap V2',
      pairKind: 'uniswap',
      factory: '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e',
      router: '0x8cfe327cec66d1c090dd72bd0ff11d690c33a2eb',
      initCodeHash: '0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d',
      feeBps: 25,
    },
    {
      name: 'Camelot V2',
      pairKind: 'camelot',
      factory: '0x6eccab422d763ac031210895c81787e87b43a652',
      router: '0xc873fecbd354f5a56e00e710b90ef4201db2448d',
      initCodeHash: '0xa856464ae65f7619087bc369daaf7e387dae1e5af69cfa7935850ebf754b04c1',
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
      name: 'SushiSwap V3',
      poolKind: 'uniswap',
      factory: '0x1af415a1eba07a4986a52b6f2e7de7003d82231e',
      poolDeployer: '0x1af415a1eba07a4986a52b6f2e7de7003d82231e',
      router: '0x8a21f6768c1f8075791d08546dadf6daa0be820c',
      routerTakesDeadline: true,
      quoter: '0x0524e833ccd057e4d7a296e3aaab9f7675964ce1',
      initCodeHash: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
      feeTiers: [3_000, 10_000, 500, 100],
    },
  ],
  v4: [
    {
      name: 'Uniswap V4',
      poolManager: '0x360e68faccca8ca495c1b759fd9eee466db9fb32',
      positionManager: '0xd88f38f930b7952f2db2432cb002e7abbf3dd869',
      router: '0xa51afafe0263b40edaef0df8781ea9aa03e381a3',
      permit2: '0x000000000022d473030f116ddee9f6b43ac78ba3',
      tiers: UNISWAP_V4_TIERS,
    },
  ],
  solidly: [],
  slipstream: [],
  algebra: [
    {
      name: 'Camelot V3',
      factory: '0x1a3c9b1d2f0529d97f2afc5136cc23e58f1fd35b',
      poolDeployer: '0x6dd3fb9653b10e806650f107c3b5a0a6ff974f65',
      router: '0x1f721e2e82f6676fce4ea07a5958cf098d339e18',
      initCodeHash: '0x6c1bebd370ba84753516bc1393c0d0a6c645856da55f5393ac8ab3d6dbc861d3',
    },
  ],
  hardforks: [
    { name: 'shanghai', since: 1_707_264_000 },
    { name: 'cancun', since: 1_710_374_400 },
    { name: 'prague', since: 1_750_118_400 },
    { name: 'osaka', since: 1_767_830_400 },
  ],
}
