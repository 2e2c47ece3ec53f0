import { resolve } from 'node:path'
import type { Chain } from '../../src/chains/chain.js'
import { readChainFiles } from '../../src/chains/chain-file.js'
import { ethereum } from '../../src/chains/ethereum.js'
import { findChain } from '../../src/chains/index.js'
import type { Address } from '../../src/hex.js'

/** From configuration alone, as an operator would add them. */
const configured = readChainFiles(
  ['optimism', 'unichain'].map((name) => resolve(import.meta.dirname, `../../deploy/chains/${name}.json`)),
)
const WETH: Address = '0x4200000000000000000000000000000000000006'

/**
 * Ethereum with the exchanges whose routers are known as they are: PancakeSwap's and SushiSwap's
 * are not.
 */
const mainnet: Chain = { ...ethereum, v2: ethereum.v2.slice(0, 1), v3: ethereum.v3.slice(0, 1) }

export const blockChains: readonly Chain[] = [
  mainnet,
  // Their blocks do not hold what a look for markets against dollars reads.
  ...configured.map((chain) => ({ ...chain, watchedTokens: [] })),
]

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
    WETH: WETH,
  },
  130: {
    USDC: '0x078d782b760474a361dda0af3839290b0ef57ad6',
    WETH: WETH,
  },
}

/** The chain of a block file under its own rules. */
export function replayChain(chainId: number): Chain {
  const chain = findChain(chainId, configured) ?? findChain(chainId)
  if (!chain) throw new Error(`there is no chain ${chainId}`)
  return chain
}
