import type { TokenAddress } from '../solana/token-address.js'
import { type PackedChanges, packChanges, unpackChanges } from './packed-changes.js'
import type { BlockChanges } from './read-block-changes.js'
import type { SeenBlock } from './watch-store.js'

/** What one block changed. */
export interface ChangedBlock {
  block: SeenBlock
  changes: BlockChanges
}

/**
 * What the last blocks changed, for tokens whose verdict was being made while they were gone
 * through: their words were not known then.
 */
export interface RecentChanges {
  /** The next block; one whose changes were not all told ends what is remembered. */
  add(block: SeenBlock, changes: BlockChanges | undefined): void
  /** Whether every block from the one after `number` to `last` is remembered. */
  reachesFrom(number: bigint, last: SeenBlock): boolean
  /** Oldest first, with the words of these accounts. */
  all(isWanted: (address: TokenAddress) => boolean): readonly ChangedBlock[]
}

/** As many as a verdict takes on a fast chain; a block's changes are some hundred kilobytes. */
const MAX_REMEMBERED = 8

export function createRecentChanges(): RecentChanges {
  let blocks: { block: SeenBlock; packed: PackedChanges }[] = []
  return {
    add(block, changes) {
      const isNext = blocks.at(-1)?.block.number === block.number - 1n
      blocks =
        changes === undefined
          ? []
          : [...(isNext ? blocks : []), { block, packed: packChanges(changes) }].slice(-MAX_REMEMBERED)
    },
    reachesFrom(number, last) {
      const first = blocks[0]?.block.number
      return first !== undefined && first <= number + 1n && blocks.at(-1)?.block.hash === last.hash
    },
    all: (isWanted) => blocks.map(({ block, packed }) => ({ block, changes: unpackChanges(packed, isWanted) })),
  }
}
