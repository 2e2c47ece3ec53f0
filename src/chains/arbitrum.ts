import { defineChain } from './chain.js'
import {
  algebra,
  FIRST_UNISWAP_V3,
  pancakeswapV2,
  pancakeswapV3,
  sushiswapV2,
  sushiswapV3,
  uniswapV2,
  uniswapV3,
  uniswapV4,
  v2,
} from './exchanges.js'

/**
 * Addresses: Uniswap's and SushiSwap's deployment pages, Arbiscan token pages. Fork days: the ArbOS
 * release notes.
 */
export const arbitrum = defineChain({
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
  exchanges: [
    sushiswapV2({
      factory: '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
      router: '0x1b02da8cb0d097eb8d57a175b88c7d8b47997506',
    }),
    uniswapV2({
      factory: '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9',
      router: '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24',
    }),
    pancakeswapV2({
      factory: '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e',
      router: '0x8cfe327cec66d1c090dd72bd0ff11d690c33a2eb',
    }),
    v2({
      name: 'Camelot V2',
      pairKind: 'camelot',
      factory: '0x6eccab422d763ac031210895c81787e87b43a652',
      router: '0xc873fecbd354f5a56e00e710b90ef4201db2448d',
      initCodeHash: '0xa856464ae65f7619087bc369daaf7e387dae1e5af69cfa7935850ebf754b04c1',
      feeBps: 30,
    }),
    uniswapV3(FIRST_UNISWAP_V3),
    pancakeswapV3(),
    sushiswapV3({
      factory: '0x1af415a1eba07a4986a52b6f2e7de7003d82231e',
      router: '0x8a21f6768c1f8075791d08546dadf6daa0be820c',
      quoter: '0x0524e833ccd057e4d7a296e3aaab9f7675964ce1',
      positionManager: '0xf0cbce1942a68beb3d1b73f0dd86c8dcc363ef49',
    }),
    uniswapV4({
      poolManager: '0x360e68faccca8ca495c1b759fd9eee466db9fb32',
      positionManager: '0xd88f38f930b7952f2db2432cb002e7abbf3dd869',
      router: '0xa51afafe0263b40edaef0df8781ea9aa03e381a3',
    }),
    algebra({
      name: 'Camelot V3',
      factory: '0x1a3c9b1d2f0529d97f2afc5136cc23e58f1fd35b',
      poolDeployer: '0x6dd3fb9653b10e806650f107c3b5a0a6ff974f65',
      router: '0x1f721e2e82f6676fce4ea07a5958cf098d339e18',
      initCodeHash: '0x6c1bebd370ba84753516bc1393c0d0a6c645856da55f5393ac8ab3d6dbc861d3',
    }),
  ],
  hardforks: [
    { name: 'shanghai', since: 1_707_264_000 },
    { name: 'cancun', since: 1_710_374_400 },
    { name: 'prague', since: 1_750_118_400 },
    { name: 'osaka', since: 1_767_830_400 },
  ],
  // P256VERIFY since ArbOS 31; the cap of ArbOS 51 in place of EIP-7825's.
  engine: { p256: { since: 'cancun', gas: 3_450 }, system: 'arbitrum', maxTransactionGas: 32_000_000 },
  wellKnownTokens: [
    { symbol: 'USDT', name: 'Tether USD', address: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9' },
    { symbol: 'USDC', name: 'USD Coin', address: '0xaf88d065e77c8cc2239327c5edb3a432268e5831' },
    { symbol: 'USDC', name: 'USD Coin (Arb1)', address: '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8' },
    { symbol: 'WETH', name: 'Wrapped Ether', address: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1' },
    { symbol: 'WBTC', name: 'Wrapped BTC', address: '0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f' },
    { symbol: 'FRAX', name: 'Frax', address: '0x17fc002b466eec40dae837fc4be5c67993ddbd6f' },
  ],
  // A sentinel that is no limit, and the sequencer.
  devnet: { gasLimit: 1n << 50n, baseFeePerGas: 10_000_000n, coinbase: '0xa4b000000000000000000073657175656e636572' },
})
