import { defineChain } from './chain.js'
import {
  pancakeswapV2,
  pancakeswapV3,
  slipstream,
  solidly,
  sushiswapV2,
  sushiswapV3,
  uniswapV2,
  uniswapV3,
  uniswapV4,
  v2,
} from './exchanges.js'

/**
 * Addresses: Uniswap's deployment pages, Base's contract list. Fork times: the OP Stack upgrade
 * pages.
 */
export const base = defineChain({
  id: 8453,
  name: 'Base',
  slug: 'base',
  stack: 'op',
  nativeSymbol: 'ETH',
  blockTimeMs: 2_000,
  numberSource: 'block',
  numberTimeMs: 2_000,
  defaultRpcUrls: ['https://mainnet.base.org', 'https://base-rpc.publicnode.com', 'https://base.llamarpc.com'],
  wrappedNative: '0x4200000000000000000000000000000000000006',
  watchedTokens: [
    { symbol: 'USDC', address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', decimals: 6 },
    { symbol: 'WETH', address: '0x4200000000000000000000000000000000000006', decimals: 18 },
  ],
  exchanges: [
    uniswapV2({
      factory: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
      router: '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24',
    }),
    sushiswapV2({
      factory: '0x71524b4f93c58fcbf659783284e38825f0622859',
      router: '0x6bded42c6da8fbf0d2ba55b2fa120c5e0c8d7891',
    }),
    pancakeswapV2({
      factory: '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e',
      router: '0x8cfe327cec66d1c090dd72bd0ff11d690c33a2eb',
    }),
    v2({
      name: 'BaseSwap',
      factory: '0xfda619b6d20975be80a10332cd39b9a4b0faa8bb',
      router: '0x327df1e6de05895d2ab08513aadd9313fe505d86',
      initCodeHash: '0xb618a2730fae167f5f8ac7bd659dd8436d571872655bcb6fd11f2158c8a64a3b',
      feeBps: 25,
    }),
    uniswapV3({
      factory: '0x33128a8fc17869897dce68ed026d694621f6fdfd',
      router: '0x2626664c2603336e57b271c5c0b26f421741e481',
      quoter: '0x3d4e44eb1374240ce5f1b871ab261cd16335b76a',
      positionManager: '0x03a520b32c04bf3beef7beb72e919cf822ed34f1',
      routerTakesDeadline: false,
    }),
    pancakeswapV3(),
    sushiswapV3({
      factory: '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
      router: '0xfb7ef66a7e61224dd6fcd0d7d9c3be5c8b049b9f',
      quoter: '0xb1e835dc2785b52265711e17fccb0fd018226a6e',
      positionManager: '0x80c7dd17b01855a6d2347444a0fcc36136a314de',
    }),
    uniswapV4({
      poolManager: '0x498581ff718922c3f8e6a244956af099b2652b2b',
      positionManager: '0x7c5f5a4bbd8fd63184577525326123b519429bdc',
      router: '0x6ff5693b99212da76ad316178a184ab56d299b43',
    }),
    solidly({
      name: 'Aerodrome',
      factory: '0x420dd381b31aef6683db6b902084cb0ffece40da',
      router: '0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43',
      poolImplementation: '0xa4e46b4f701c62e14df11b48dce76a7d793cd6d7',
    }),
    slipstream({
      name: 'Aerodrome Slipstream',
      factory: '0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a',
      router: '0xbe6d8f0d05cc4be24d5167a3ef062215be6d18a5',
      poolImplementation: '0xec8e5342b19977b4ef8892e02d8daecfa1315831',
      tickSpacings: [200, 100, 2_000, 50, 1],
    }),
  ],
  hardforks: [
    { name: 'paris', since: 1_686_789_347 },
    { name: 'shanghai', since: 1_704_992_401 },
    { name: 'cancun', since: 1_710_374_401 },
    { name: 'prague', since: 1_746_806_401 },
    { name: 'osaka', since: 1_779_926_400 },
  ],
  // P256VERIFY since Fjord.
  engine: { p256: { since: 'cancun', gas: 3_450 }, system: 'base' },
  wellKnownTokens: [
    { symbol: 'USDC', name: 'USD Coin', address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
    { symbol: 'WETH', name: 'Wrapped Ether', address: '0x4200000000000000000000000000000000000006' },
    { symbol: 'DAI', name: 'Dai Stablecoin', address: '0x50c5725949a6f0c72e6c4a641f24049a917db0cb' },
  ],
  // The fee vault.
  devnet: {
    gasLimit: 300_000_000n,
    baseFeePerGas: 10_000_000n,
    coinbase: '0x4200000000000000000000000000000000000011',
  },
})
