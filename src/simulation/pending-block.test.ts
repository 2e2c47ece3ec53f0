import { describe, expect, test } from 'vitest'
import { arbitrum } from '../chains/arbitrum.js'
import { bsc } from '../chains/bsc.js'
import { ethereum } from '../chains/ethereum.js'
import { createMemoryStateSource } from '../state/memory-state-source.js'
import { nextBlock, pendingBlock, travel } from './pending-block.js'

const head = createMemoryStateSource({
  block: { number: 100n, timestamp: 1_800_000_000n, baseFeePerGas: 7n, excessBlobGas: 0n, l1BlockNumber: 42n },
}).block
const DAY_MS = 86_400_000

describe('pendingBlock', () => {
  test('is the block after the head', () => {
    expect(pendingBlock(ethereum, head)).toMatchObject({
      chainId: 1,
      number: 101n,
      timestamp: 1_800_000_012n,
      baseFeePerGas: 7n,
      blobBaseFee: 1n,
    })
  })

  test('on Arbitrum NUMBER is the height of L1, and the sequencer is the coinbase', () => {
    expect(pendingBlock(arbitrum, head)).toMatchObject({
      number: 42n,
      coinbase: '0xa4b000000000000000000073657175656e636572',
      prevRandao: `0x${'1'.padStart(64, '0')}`,
    })
  })

  test('on Arbitrum the height of L2 goes on at its own pace beside it', () => {
    const now = pendingBlock(arbitrum, head)
    expect(now.l2Number).toBe(101n)
    expect(travel(arbitrum, now, 86_400_000).l2Number).toBe(101n + 345_600n)
    expect(pendingBlock(ethereum, head).l2Number).toBeUndefined()
  })

  test('the slot is the one after the head, and goes on with time; without one there is none', () => {
    const now = pendingBlock(ethereum, { ...head, slotNumber: 500n })
    expect(now.slotNumber).toBe(501n)
    expect(travel(ethereum, now, DAY_MS).slotNumber).toBe(501n + 7_200n)
    expect(travel(ethereum, pendingBlock(ethereum, head), DAY_MS)).not.toHaveProperty('slotNumber')
  })

  test('the blob fee follows the excess, and a lying header does not hold us', () => {
    const feeAt = (excessBlobGas: bigint) => pendingBlock(ethereum, { ...head, excessBlobGas }).blobBaseFee
    expect(feeAt(11_684_671n)).toBe(2n)
    expect(feeAt(11_684_671n * 10n)).toBe(22_026n)
    expect(feeAt(2n ** 64n) > 0n).toBe(true)
  })
})

describe('travel', () => {
  test.each([
    [ethereum, 7_200n],
    [bsc, 192_000n],
    [arbitrum, 7_200n],
  ])('moves time and height together at the pace of $name', (chain, blocks) => {
    const now = pendingBlock(chain, head)
    const later = travel(chain, now, DAY_MS)
    expect(later.timestamp - now.timestamp).toBe(86_400n)
    expect(later.number - now.number).toBe(blocks)
  })

  test.each([ethereum, bsc, arbitrum])(
    'the next transaction of a person comes under another NUMBER and later, on $name',
    (chain) => {
      const now = pendingBlock(chain, head)
      const next = nextBlock(chain, now)
      expect(next.number > now.number).toBe(true)
      expect(next.timestamp - now.timestamp >= 2n).toBe(true)
    },
  )
})
