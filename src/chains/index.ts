import { arbitrum } from './arbitrum.js'
import { base } from './base.js'
import { bsc } from './bsc.js'
import type { Chain } from './chain.js'
import { ethereum } from './ethereum.js'

/** Every EVM chain this service judges. */
export const chains: readonly Chain[] = [ethereum, bsc, base, arbitrum]

export function findChain(id: number): Chain | undefined {
  return chains.find((chain) => chain.id === id)
}
