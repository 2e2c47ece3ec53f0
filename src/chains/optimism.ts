import { defineChain } from './chain.js'
import { FIRST_UNISWAP_V3, slipstream, solidly, uniswapV2, uniswapV3, uniswapV4 } from './exchanges.js'

/**
 * Addresses: Uniswap's deployment pages, Velodrome's repositories; the proofs of block 132799000
 * carry code at Velodrome V2's three, and at Slipstream's factory and pools. Fork times: the OP
 * Stack upgrade pages (Canyon, Ecotone, Isthmus). When Osaka's rules began here is not known:
 * without them a trade is only stricter.
 */
export const optimism = defineChain({
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
  exchanges: [
    uniswapV2({
      factory: '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf',
      router: '0x4a7b5da61326a6379179b40d00f57e5bbdc962c2',
    }),
    uniswapV3(FIRST_UNISWAP_V3),
    uniswapV4({
      poolManager: '0x9a13f98cb987694c9f086b1f5eb990eea8264ec3',
      positionManager: '0x3c3ea4b57a46241e54610e5f022e5c45859a1017',
      router: '0x851116d9223fabed8e56c0e6b8ad0c31d98b3507',
    }),
    solidly({
      name: 'Velodrome V2',
      factory: '0xf1046053aa5682b4f9a81b5481394da16be5ff5a',
      router: '0xa062ae8a9c5e11aaa026fc2670b0d65ccc8b2858',
      poolImplementation: '0x95885af5492195f0754be71ad1545fe81364e531',
    }),
    slipstream({
      name: 'Velodrome Slipstream',
      factory: '0xcc0bddb707055e04e497ab22a59c2af4391cd12f',
      router: '0x0792a633f0c19c351081cf4b211f68f79bcc9676',
      poolImplementation: '0xc28ad28853a547556780bebf7847628501a3bcbb',
      tickSpacings: [200, 100, 2_000, 50, 1],
    }),
  ],
  hardforks: [
    { name: 'paris', since: 1_686_068_903 },
    { name: 'shanghai', since: 1_704_992_401 },
    { name: 'cancun', since: 1_710_374_401 },
    { name: 'prague', since: 1_746_806_401 },
    // Karst.
    { name: 'osaka', since: 1_783_526_401 },
  ],
  // P256VERIFY since Fjord.
  engine: { p256: { since: 'cancun', gas: 3_450 } },
  wellKnownTokens: [
    { symbol: 'USDT', name: 'Tether USD', address: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58' },
    { symbol: 'USDC', name: 'USD Coin', address: '0x0b2c639c533813f4aa9d7837caf62653d097ff85' },
    { symbol: 'USDC', name: 'USD Coin', address: '0x7f5c764cbc14f9669b88837ca1490cca17c31607' },
    { symbol: 'DAI', name: 'Dai Stablecoin', address: '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1' },
    { symbol: 'WETH', name: 'Wrapped Ether', address: '0x4200000000000000000000000000000000000006' },
  ],
  // The fee vault.
  devnet: { gasLimit: 60_000_000n, baseFeePerGas: 1_000_000n, coinbase: '0x4200000000000000000000000000000000000011' },
})
