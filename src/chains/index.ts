import { arbitrum } from './arbitrum.js'
import { base } from './base.js'
import { bsc } from './bsc.js'
import type { Chain } from './chain.js'
import { ethereum } from './ethereum.js'
import { optimism } from './optimism.js'

/** Every EVM chain this service judges. */
export const chains: readonly Chain[] = [ethereum, bsc, base, arbitrum, optimism]

/** For texts: `1, 56, 8453`. */
export const CHAIN_IDS = chains.map(({ id }) => id).join(', ')
/** For texts: `Ethereum 1, BNB Smart Chain 56`. */
export const CHAIN_NAMES = chains.map(({ name, id }) => `${name} ${id}`).join(', ')

export function findChain(id: number): Chain | undefined {
  return chains.find((chain) => chain.id === id)
}
