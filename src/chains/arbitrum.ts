import type { Chain } from './chain.js'

/** Addresses: Uniswap's and SushiSwap's deployment pages, Arbiscan token pages. Fork days: the ArbOS release notes. */
export const arbitrum: Chain = {
  id: 42161,
  name: 'Arbitrum One',
  slug: 'arbitrum',
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
      factory: '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
      router: '0x1b02da8cb0d097eb8d57a175b88c7d8b47997506',
      initCodeHash: '0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303',
      feeBps: 30,
    },
    {
      name: 'Uniswap V2',
      factory: '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9',
      router: '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24',
      initCodeHash: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
      feeBps: 30,
    },
    {
      name: 'PancakeSwap V2',
      factory: '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e',
      router: '0x8cfe327cec66d1c090dd72bd0ff11d690c33a2eb',
      initCodeHash: '0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d',
      feeBps: 25,
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
  hardforks: [
    { name: 'shanghai', since: 1_707_264_000 },
    { name: 'cancun', since: 1_710_374_400 },
    { name: 'prague', since: 1_750_118_400 },
    { name: 'osaka', since: 1_767_830_400 },
  ],
}
