import { nextBlock, travel } from '../../simulation/pending-block.js'
import type { Fork } from '../../simulation/scenario.js'

/** Lets `ms` pass on the fork, and at least one block. */
export function pass({ evm, chain }: Fork, ms: number): void {
  evm.setBlock(ms === 0 ? nextBlock(chain, evm.block) : travel(chain, evm.block, ms))
}
