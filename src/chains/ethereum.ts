import { defineChain } from './chain.js'
import {
  FIRST_UNISWAP_V3,
  pancakeswapV2,
  pancakeswapV3,
  sushiswapV2,
  sushiswapV3,
  uniswapV2,
  uniswapV3,
  uniswapV4,
} from './exchanges.js'

/**
 * Addresses: Uniswap's deployment pages (V2 and V3), Etherscan token pages. Forks before Shanghai
 * were set by height: these are the times of their first blocks. Blob schedule: EIP-4844, EIP-7691,
 * and EIP-7892 as BPO1 and BPO2 used it.
 */
export const ethereum = defineChain({
  id: 1,
  name: 'Ethereum',
  slug: 'ethereum',
  stack: 'ethereum',
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
  exchanges: [
    uniswapV2({
      factory: '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f',
      router: '0x7a250d5630b4cf539739df2c5dacb4c659f2488d',
    }),
    sushiswapV2({
      factory: '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac',
      router: '0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f',
    }),
    pancakeswapV2({
      factory: '0x1097053fd2ea711dad45caccc45eff7548fcb362',
      router: '0xeff92a263d31888d860bd50809a8d171709b7b1c',
    }),
    uniswapV3(FIRST_UNISWAP_V3),
    pancakeswapV3(),
    sushiswapV3({
      factory: '0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f',
      router: '0x2e6cd2d30aa43f40aa81619ff4b6e0a41479b13f',
      quoter: '0x64e8802fe490fa7cc61d3463958199161bb608a7',
      positionManager: '0x2214a42d8e2a1d20635c2cb0664422c528b6a432',
    }),
    uniswapV4({
      poolManager: '0x000000000004444c5dc75cb358380d2e3de08a90',
      positionManager: '0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e',
      router: '0x66a9893cc07d91d95644aedd05d03f95e1dba8af',
    }),
  ],
  hardforks: [
    { name: 'byzantium', since: 1_508_131_331 },
    { name: 'petersburg', since: 1_551_383_524 },
    { name: 'istanbul', since: 1_575_764_709 },
    { name: 'berlin', since: 1_618_481_223 },
    { name: 'london', since: 1_628_166_822 },
    { name: 'paris', since: 1_663_224_179 },
    { name: 'shanghai', since: 1_681_338_455 },
    { name: 'cancun', since: 1_710_338_135 },
    { name: 'prague', since: 1_746_612_311 },
    { name: 'osaka', since: 1_764_798_551 },
  ],
  blobSchedule: [
    { since: 1_710_338_135, updateFraction: 3_338_477n },
    { since: 1_746_612_311, updateFraction: 5_007_716n },
    { since: 1_765_290_071, updateFraction: 8_346_193n },
    { since: 1_767_747_671, updateFraction: 11_684_671n },
  ],
  wellKnownTokens: [
    { symbol: 'USDT', name: 'Tether USD', address: '0xdac17f958d2ee523a2206206994597c13d831ec7' },
    { symbol: 'USDC', name: 'USD Coin', address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' },
    { symbol: 'DAI', name: 'Dai Stablecoin', address: '0x6b175474e89094c44da98b954eedeac495271d0f' },
    { symbol: 'WETH', name: 'Wrapped Ether', address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2' },
    { symbol: 'WBTC', name: 'Wrapped BTC', address: '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599' },
    { symbol: 'LINK', name: 'ChainLink Token', address: '0x514910771af9ca656af840dff83e8264ecf986ca' },
    { symbol: 'UNI', name: 'Uniswap', address: '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984' },
    { symbol: 'SHIB', name: 'SHIBA INU', address: '0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce' },
    { symbol: 'PEPE', name: 'Pepe', address: '0x6982508145454ce325ddbe47a25d4ec3d2311933' },
    { symbol: 'AAVE', name: 'Aave Token', address: '0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9' },
    { symbol: 'MKR', name: 'Maker', address: '0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2' },
    { symbol: 'stETH', name: 'Liquid staked Ether 2.0', address: '0xae7ab96520de3a18e5e111b5eaab095312d7fe84' },
    { symbol: 'APE', name: 'ApeCoin', address: '0x4d224452801aced8b2f0aebe155379bb5d594381' },
    { symbol: 'ENS', name: 'Ethereum Name Service', address: '0xc18360217d8f7ab5e7c516566761ea12ce7f9d72' },
    { symbol: 'BAL', name: 'Balancer', address: '0xba100000625a3754423978a60c9317c58a424e3d' },
    { symbol: 'YFI', name: 'yearn.finance', address: '0x0bc529c00c6401aef6d220be8c6ea1667f6ad93e' },
  ],
  lockers: {
    '0x663a5c229c09b049e36dcc11a9b0d4a8eb9db214': 'UNCX',
    '0xe2fe530c047f2d85298b07d9333c05737f1435fb': 'Team Finance',
    '0x71b5759d73262fbb223956913ecf4ecc51057641': 'PinkLock',
  },
  // A builder's coinbase.
  devnet: {
    gasLimit: 60_000_000n,
    baseFeePerGas: 1_000_000_000n,
    coinbase: '0x95222290dd7278aa3ddd389cc1e1d165cc4bafe5',
  },
})
