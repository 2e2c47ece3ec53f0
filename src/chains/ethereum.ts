import type { Chain } from './chain.js'

/** Addresses: Uniswap's deployment pages (V2 and V3), Etherscan token pages. */
export const ethereum: Chain = {
  id: 1,
  name: 'Ethereum',
  slug: 'ethereum',
  nativeSymbol: 'ETH',
  blockTimeMs: 12_000,
  numberSource: 'block',
  numberTimeMs: 12_000,
  defaultRpcUrls: ['https://ethereum-rpc.publicnode.com', 'https://eth.llamarpc.com', 'https://rpc.ankr.com/eth'],
  wrappedNative: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  watchedTokens: [
    { symbol: 'USDT', address: '0xdac17f958d2ee523a2206206994597c13d831ec7', decimals: 6 },
    { symbol: 'USDC', address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6 },
    { symbol: 'DAI', address: '0x6b175474e89094c44da98b954eedeac495271d0f', decimals: 18 },
    { symbol: 'WETH', address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', decimals: 18 },
  ],
  v2: [
    {
      name: 'Uniswap V2',
      factory: '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f',
      router: '0x7a250d5630b4cf539739df2c5dacb4c659f2488d',
      initCodeHash: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
      feeBps: 30,
    },
    {
      name: 'SushiSwap V2',
      factory: '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac',
      router: '0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f',
      initCodeHash: '0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303',
      feeBps: 30,
    },
    {
      name: 'PancakeSwap V2',
      factory: '0x1097053fd2ea711dad45caccc45eff7548fcb362',
      router: '0xeff92a263d31888d860bd50809a8d171709b7b1c',
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
      factory: '0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f',
      poolDeployer: '0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f',
      router: '0x2e6cd2d30aa43f40aa81619ff4b6e0a41479b13f',
      routerTakesDeadline: true,
      quoter: '0x64e8802fe490fa7cc61d3463958199161bb608a7',
      initCodeHash: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
      feeTiers: [3_000, 10_000, 500, 100],
    },
  ],
  hardforks: [
    { name: 'shanghai', since: 1_681_338_455 },
    { name: 'cancun', since: 1_710_338_135 },
    { name: 'prague', since: 1_746_612_311 },
    { name: 'osaka', since: 1_764_798_551 },
  ],
}
