import type { Address } from '../../hex.js'

/** A token that others like to be taken for. */
export interface WellKnownToken {
  symbol: string
  name: string
  address: Address
}

/**
 * Tokens whose names are copied most, by chain: the issuers' own deployments, and the bridged ones
 * that carry the same name by right. From the projects' documentation and the chains' bridges, read
 * 2026-11-22. A name that is not here is free.
 */
export const WELL_KNOWN_TOKENS: Readonly<Record<number, readonly WellKnownToken[]>> = {
  1: [
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
  56: [
    { symbol: 'USDT', name: 'Tether USD', address: '0x55d398326f99059ff775485246999027b3197955' },
    { symbol: 'USDC', name: 'USD Coin', address: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d' },
    { symbol: 'WBNB', name: 'Wrapped BNB', address: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c' },
    { symbol: 'CAKE', name: 'PancakeSwap Token', address: '0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82' },
  ],
  8453: [
    { symbol: 'USDC', name: 'USD Coin', address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
    { symbol: 'WETH', name: 'Wrapped Ether', address: '0x4200000000000000000000000000000000000006' },
    { symbol: 'DAI', name: 'Dai Stablecoin', address: '0x50c5725949a6f0c72e6c4a641f24049a917db0cb' },
  ],
  10: [
    { symbol: 'USDT', name: 'Tether USD', address: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58' },
    { symbol: 'USDC', name: 'USD Coin', address: '0x0b2c639c533813f4aa9d7837caf62653d097ff85' },
    // The bridged one carries the same symbol.
    { symbol: 'USDC', name: 'USD Coin', address: '0x7f5c764cbc14f9669b88837ca1490cca17c31607' },
    { symbol: 'DAI', name: 'Dai Stablecoin', address: '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1' },
    { symbol: 'WETH', name: 'Wrapped Ether', address: '0x4200000000000000000000000000000000000006' },
  ],
  42161: [
    { symbol: 'USDT', name: 'Tether USD', address: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9' },
    { symbol: 'USDC', name: 'USD Coin', address: '0xaf88d065e77c8cc2239327c5edb3a432268e5831' },
    // The bridged one carries the same symbol.
    { symbol: 'USDC', name: 'USD Coin (Arb1)', address: '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8' },
    { symbol: 'WETH', name: 'Wrapped Ether', address: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1' },
    { symbol: 'WBTC', name: 'Wrapped BTC', address: '0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f' },
    { symbol: 'FRAX', name: 'Frax', address: '0x17fc002b466eec40dae837fc4be5c67993ddbd6f' },
  ],
}
