import type { Chain } from '../chains/chain.js'
import { type BlockEnvironment, environmentOf } from '../evm/block-environment.js'
import type { PinnedBlock } from '../state/state-source.js'

/** The environment of the block after `head`: the one a transaction sent now would land in. */
export function pendingBlock(chain: Chain, head: PinnedBlock): BlockEnvironment {
  const block = environmentOf(chain, head)
  return {
    ...block,
    ...(block.l2Number === undefined ? { number: head.number + 1n } : { l2Number: head.number + 1n }),
    ...(head.slotNumber !== undefined && { slotNumber: head.slotNumber + 1n }),
    timestamp: head.timestamp + wholeSeconds(chain.blockTimeMs),
  }
}

/**
 * Moves time and height together, at the chain's own pace, so that a trap which counts blocks sees
 * them pass.
 */
export function travel(chain: Chain, block: BlockEnvironment, ms: number): BlockEnvironment {
  return {
    ...block,
    number: block.number + BigInt(Math.floor(ms / chain.numberTimeMs)),
    ...(block.l2Number !== undefined && { l2Number: block.l2Number + BigInt(Math.floor(ms / chain.blockTimeMs)) }),
    ...(block.slotNumber !== undefined && {
      slotNumber: block.slotNumber + BigInt(Math.floor(ms / chain.numberTimeMs)),
    }),
    timestamp: block.timestamp + wholeSeconds(ms),
  }
}

/**
 * The block that the same person's next transaction lands in: later, and never under the same
 * NUMBER.
 */
export function nextBlock(chain: Chain, block: BlockEnvironment): BlockEnvironment {
  return travel(chain, block, Math.max(chain.numberTimeMs, MIN_HUMAN_PAUSE_MS))
}

/**
 * No person confirms two transactions in a wallet faster than this; on fast chains several blocks
 * go by.
 */
const MIN_HUMAN_PAUSE_MS = 2_000

/** Timestamps are whole seconds, and a later block never has an earlier one. */
function wholeSeconds(ms: number): bigint {
  return BigInt(Math.max(1, Math.round(ms / 1_000)))
}
