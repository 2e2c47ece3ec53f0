import type { Chain } from './chain.js'
import { UNISWAP_V4_TIERS } from './uniswap-v4-tiers.js'

/**
 * Addresses: Uniswap's deployment pages, Base's contract list. Fork times: the OP Stack upgrade
 * pages.
 */
export const base: Chain = {
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
  v2: [
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
      factory: '0x71524b4f93c58fcbf659783284e38825f0622859',
      router: '0x6bded42c6da8fbf0d2ba55b2fa120c5e0c8d7891',
      initCodeHash: '0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303',
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
      name: 'BaseSwap',
      pairKind: 'uniswap',
      factory: '0xfda619b6d20975be80a10332cd39b9a4b0faa8bb',
      router: '0x327df1e6de05895d2ab08513aadd9313fe505d86',
      initCodeHash: '0xb618a2730fae167f5f8ac7bd659dd8436d571872655bcb6fd11f2158c8a64a3b',
      feeBps: 25,
    },
  ],
  v3: [
    {
      name: 'Uniswap V3',
      poolKind: 'uniswap',
      factory: '0x33128a8fc17869897dce68ed026d694621f6fdfd',
      poolDeployer: '0x33128a8fc17869897dce68ed026d694621f6fdfd',
      router: '0x2626664c2603336e57b271c5c0b26f421741e481',
      routerTakesDeadline: false,
      quoter: '0x3d4e44eb1374240ce5f1b871ab261cd16335b76a',
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
      factory: '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
      poolDeployer: '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
      router: '0xfb7ef66a7e61224dd6fcd0d7d9c3be5c8b049b9f',
      routerTakesDeadline: true,
      quoter: '0xb1e835dc2785b52265711e17fccb0fd018226a6e',
      initCodeHash: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
      feeTiers: [3_000, 10_000, 500, 100],
    },
  ],
  v4: [
    {
      name: 'Uniswap V4',
      poolManager: '0x498581ff718922c3f8e6a244956af099b2652b2b',
      positionManager: '0x7c5f5a4bbd8fd63184577525326123b519429bdc',
      router: '0x6ff5693b99212da76ad316178a184ab56d299b43',
      permit2: '0x000000000022d473030f116ddee9f6b43ac78ba3',
      tiers: UNISWAP_V4_TIERS,
    },
  ],
  solidly: [
    {
      name: 'Aerodrome',
      factory: '0x420dd381b31aef6683db6b902084cb0ffece40da',
      router: '0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43',
      poolImplementation: '0xa4e46b4f701c62e14df11b48dce76a7d793cd6d7',
    },
  ],
  slipstream: [
    {
      name: 'Aerodrome Slipstream',
      factory: '0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a',
      router: '0xbe6d8f0d05cc4be24d5167a3ef062215be6d18a5',
      poolImplementation: '0xec8e5342b19977b4ef8892e02d8daecfa1315831',
      tickSpacings: [200, 100, 2_000, 50, 1],
    },
  ],
  algebra: [],
  hardforks: [
    { name: 'paris', since: 1_686_789_347 },
    { name: 'shanghai', since: 1_704_992_401 },
    { name: 'cancun', since: 1_710_374_401 },
    { name: 'prague', since: 1_746_806_401 },
    { name: 'osaka', since: 1_779_926_400 },
  ],
}
