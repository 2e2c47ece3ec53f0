import type { Chain } from '../../src/chains/chain.js'
import { ethereum } from '../../src/chains/ethereum.js'
import { findChain } from '../../src/chains/index.js'
import { UNISWAP_V4_TIERS } from '../../src/chains/uniswap-v4-tiers.js'
import type { Address } from '../../src/hex.js'

const [uniswapV2] = ethereum.v2
const [uniswapV3] = ethereum.v3
if (!uniswapV2 || !uniswapV3) throw new Error('Ethereum has lost its exchanges')

/** What the two OP Stack chains have in common; neither is served, and both have real blocks. */
const opStack = {
  nativeSymbol: 'ETH',
  stack: 'op',
  numberSource: 'block',
  defaultRpcUrls: [],
  wrappedNative: '0x4200000000000000000000000000000000000006',
  watchedTokens: [],
  slipstream: [],
  algebra: [],
  hardforks: [
    { name: 'cancun', since: 0 },
    { name: 'prague', since: 1_746_806_401 },
  ],
} as const satisfies Partial<Chain>

const V2_TERMS = { name: 'Uniswap V2', pairKind: 'uniswap', initCodeHash: uniswapV2.initCodeHash, feeBps: 30 } as const

/** Addresses: Uniswap's and Velodrome's deployment pages. */
export const optimism: Chain = {
  ...opStack,
  id: 10,
  name: 'OP Mainnet',
  slug: 'optimism',
  blockTimeMs: 2_000,
  numberTimeMs: 2_000,
  v2: [
    {
      ...V2_TERMS,
      factory: '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf',
      router: '0x4a7b5da61326a6379179b40d00f57e5bbdc962c2',
    },
  ],
  v3: [uniswapV3],
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
      name: 'Velodrome',
      factory: '0xf1046053aa5682b4f9a81b5481394da16be5ff5a',
      router: '0xa062ae8a9c5e11aaa026fc2670b0d65ccc8b2858',
      poolImplementation: '0x95885af5492195f0754be71ad1545fe81364e531',
    },
  ],
}

export const unichain: Chain = {
  ...opStack,
  id: 130,
  name: 'Unichain',
  slug: 'unichain',
  blockTimeMs: 1_000,
  numberTimeMs: 1_000,
  v2: [
    {
      ...V2_TERMS,
      factory: '0x1f98400000000000000000000000000000000002',
      router: '0x284f11109359a7e1306c3e447ef14d38400063ff',
    },
  ],
  v3: [],
  v4: [
    {
      name: 'Uniswap V4',
      poolManager: '0x1f98400000000000000000000000000000000004',
      positionManager: '0x4529a01c7a0410167c5740c487a8de60232617bf',
      router: '0xef740bf23acae26f6492b10de645d6b98dc8eaf3',
      permit2: '0x000000000022d473030f116ddee9f6b43ac78ba3',
      tiers: UNISWAP_V4_TIERS,
    },
  ],
  solidly: [],
}

/**
 * Ethereum with the exchanges whose routers are known as they are: PancakeSwap's and SushiSwap's
 * are not.
 */
const mainnet: Chain = { ...ethereum, v2: [uniswapV2], v3: [uniswapV3] }

export const blockChains: readonly Chain[] = [mainnet, optimism, unichain]

/**
 * Six tokens that everybody knows, on each chain; `USDC.e` is the bridged one of OP Mainnet, the
 * last two trade on Velodrome.
 */
export const TOKENS: Readonly<Record<number, Readonly<Record<string, Address>>>> = {
  1: {
    USDT: '0xdac17f958d2ee523a2206206994597c13d831ec7',
    USDC: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
    DAI: '0x6b175474e89094c44da98b954eedeac495271d0f',
    WBTC: '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
    LINK: '0x514910771af9ca656af840dff83e8264ecf986ca',
    WETH: ethereum.wrappedNative,
  },
  10: {
    USDT: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
    USDC: '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
    'USDC.e': '0x7f5c764cbc14f9669b88837ca1490cca17c31607',
    DAI: '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
    WBTC: '0x68f180fcce6836688e9084f035309e29bf0a2095',
    LINK: '0x350a791bfc2c21f9ed5d10980dad2e2638ffa7f6',
    VELO: '0x9560e827af36c94d2ac33a39bce1fe78631088db',
    THALES: '0x217d47011b23bb961eb6d93ca9945b7501a5bb11',
    WETH: opStack.wrappedNative,
  },
  130: {
    USDC: '0x078d782b760474a361dda0af3839290b0ef57ad6',
    WETH: opStack.wrappedNative,
  },
}

/** The chain of a block file under its own rules. */
export function replayChain(chainId: number): Chain {
  return findChain(chainId) ?? (chainId === unichain.id ? unichain : missingChain(chainId))
}

function missingChain(chainId: number): never {
  throw new Error(`there is no chain ${chainId}`)
}
