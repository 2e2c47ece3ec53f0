import type { Word } from '../checks/dependencies/trade-dependencies.js'
import type { BlockChanges } from './read-block-changes.js'
import type { ChainPlace, SeenBlock } from './watch-store.js'

/** Reads words at a block, where its changes are not told. */
export type ReadWords = (
  block: SeenBlock,
  words: readonly Pick<Word, 'address' | 'slot'>[],
) => Promise<BlockChanges['words']>

/** A block that says which one it follows. */
export interface LinkedBlock extends SeenBlock {
  parentHash: string
}

/** A chain as its watches follow it. Each method rejects where no node can be asked. */
export interface FollowedChain {
  newest(): Promise<LinkedBlock | undefined>
  /** Whether the chain has this block; `unknown` where the node may only be behind. */
  standing(block: SeenBlock): Promise<'there' | 'gone' | 'unknown'>
  /** What is looked at after `last` on the way to `head`. */
  next(last: SeenBlock, head: LinkedBlock): Promise<LinkedBlock | undefined>
  /** All that a block changed; absent where no node tells. */
  readChanges?(block: SeenBlock): Promise<BlockChanges>
  readWords: ReadWords
  /** Words that are asked for in turn at a block whose changes are not told. */
  readonly wordsAtOnce: number
  /** What was missed beyond this is not gone through: every token is judged again. */
  readonly maxMissed: bigint
}

/** Blocks that are remembered, to find where a reorganisation began. */
export const REMEMBERED_BLOCKS = 64

/** The blocks up to the newest one that the chain still has. */
export async function stillThere(chain: Pick<FollowedChain, 'standing'>, place: ChainPlace): Promise<ChainPlace> {
  for (let length = place.length; length > 0; length -= 1) {
    const block = place[length - 1]
    if (block && (await chain.standing(block)) === 'there') return place.slice(0, length)
  }
  return []
}
