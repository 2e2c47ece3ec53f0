import type { BlockEnvironment } from '../../evm/block-environment.js'
import type { PinnedBlock } from '../../state/state-source.js'

/** A block that is to be simulated, at a height that is found when all of them are known. */
export interface Placed {
  environment: BlockEnvironment
  height: bigint
}

/**
 * How far behind the pinned block a simulation goes. Geth, reth, Erigon and Nethermind refuse more
 * than 256 blocks, and each comes back with a header of a kilobyte and a half: this is a hundred of
 * those, and more blocks than a cooldown counts.
 */
export const MAX_HEIGHT_GAP = 64n

/**
 * Gives each block its height, and puts the empty blocks between them that the chain would have
 * had: time and height move together, at the chain's own pace, as far as {@link MAX_HEIGHT_GAP};
 * from there on time moves alone. The empty blocks are asked for one by one because nodes that fill
 * gaps themselves do so at a pace of their own, twelve seconds a block, and hand them back among
 * the others.
 */
export function placeBlocks<Block extends Placed>(
  blocks: readonly Block[],
  pinned: Pick<PinnedBlock, 'number' | 'timestamp'>,
  createEmpty: (environment: BlockEnvironment) => Block,
): Block[] {
  const placed: Block[] = []
  let before = { height: pinned.number, timestamp: pinned.timestamp }
  for (const [i, block] of blocks.entries()) {
    const highest = pinned.number + MAX_HEIGHT_GAP - BigInt(blocks.length - 1 - i)
    block.height = heightOf(block.environment, before, highest)
    for (let height = before.height + 1n; height < block.height; height += 1n) {
      const empty = createEmpty({ ...block.environment, timestamp: timeAt(height, before, block) })
      empty.height = height
      placed.push(empty)
    }
    placed.push(block)
    before = { height: block.height, timestamp: block.environment.timestamp }
  }
  return placed
}

/**
 * The block's own, but later than the one before and, as nodes want a second between two blocks,
 * not too far behind it.
 */
function heightOf(
  { number, l2Number = number, timestamp }: BlockEnvironment,
  before: { height: bigint; timestamp: bigint },
  highest: bigint,
): bigint {
  const reachable = before.height + timestamp - before.timestamp
  const wanted = [l2Number, reachable, highest].reduce((least, each) => (each < least ? each : least))
  return wanted > before.height ? wanted : before.height + 1n
}

/** Evenly between the two. */
function timeAt(
  height: bigint,
  before: { height: bigint; timestamp: bigint },
  { height: last, environment }: Placed,
): bigint {
  const seconds = environment.timestamp - before.timestamp
  return before.timestamp + (seconds * (height - before.height)) / (last - before.height)
}
