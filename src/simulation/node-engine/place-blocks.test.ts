import { describe, expect, test } from 'vitest'
import { arbitrum } from '../../chains/arbitrum.js'
import { base } from '../../chains/base.js'
import { bsc } from '../../chains/bsc.js'
import type { Chain } from '../../chains/chain.js'
import { ethereum } from '../../chains/ethereum.js'
import type { BlockEnvironment } from '../../evm/block-environment.js'
import { TEST_BLOCK } from '../../evm/testing.js'
import { travel } from '../pending-block.js'
import { MAX_HEIGHT_GAP, type Placed, placeBlocks } from './place-blocks.js'

const PINNED = { number: 1_000n, timestamp: 50_000n }
const DAY = 86_400

/**
 * The block behind the pinned one, and those so many seconds later; as heights and times behind the
 * pinned block.
 */
function place(chain: Chain, ...waits: number[]) {
  const first: BlockEnvironment = {
    ...TEST_BLOCK,
    chainId: chain.id,
    number: chain.numberSource === 'l1' ? 7n : 1_001n,
    ...(chain.numberSource === 'l1' && { l2Number: 1_001n }),
    timestamp: 50_000n + BigInt(Math.max(1, Math.round(chain.blockTimeMs / 1_000))),
  }
  const create = (environment: BlockEnvironment): Placed & { isEmpty: boolean } => ({
    ...{ environment, height: 0n, isEmpty: false },
  })
  const blocks = [first, ...waits.map((seconds) => travel(chain, first, seconds * 1_000))].map(create)
  const placed = placeBlocks(blocks, PINNED, (environment) => ({ ...create(environment), isEmpty: true }))
  return placed.map(({ height, environment, isEmpty }) => ({
    height: Number(height - PINNED.number),
    seconds: Number(environment.timestamp - PINNED.timestamp),
    isEmpty,
  }))
}

describe('blocks for a node to simulate', () => {
  test('stand as far apart as the chain makes them, with empty ones between', () => {
    expect(place(base, 6)).toEqual([
      { height: 1, seconds: 2, isEmpty: false },
      { height: 2, seconds: 4, isEmpty: true },
      { height: 3, seconds: 6, isEmpty: true },
      { height: 4, seconds: 8, isEmpty: false },
    ])
  })

  test.each([
    { name: 'Ethereum', chain: ethereum, height: 6 },
    { name: 'Base', chain: base, height: 31 },
    // Two and four blocks a second, of which a node simulates one.
    { name: 'BSC', chain: bsc, height: 61 },
    { name: 'Arbitrum', chain: arbitrum, height: 61 },
  ])('a minute later on $name is block $height', ({ chain, height }) => {
    expect(place(chain, 60).at(-1)?.height).toBe(height)
  })

  test('time goes on alone where nodes go no further', () => {
    const placed = place(base, 60, DAY, 7 * DAY)
    expect(placed.filter(({ isEmpty }) => !isEmpty)).toEqual([
      { height: 1, seconds: 2, isEmpty: false },
      { height: 31, seconds: 62, isEmpty: false },
      { height: 63, seconds: 2 + DAY, isEmpty: false },
      { height: 64, seconds: 2 + 7 * DAY, isEmpty: false },
    ])
    expect(placed).toHaveLength(Number(MAX_HEIGHT_GAP))
  })

  test('each is later than the one before it, and higher by one', () => {
    for (const chain of [ethereum, base, bsc, arbitrum]) {
      const placed = place(chain, 1, 13, 400, DAY)
      for (const [i, block] of placed.entries()) {
        const { height, seconds } = placed[i - 1] ?? { height: 0, seconds: 0 }
        expect(block.height).toBe(height + 1)
        expect(block.seconds).toBeGreaterThan(seconds)
      }
    }
  })
})
