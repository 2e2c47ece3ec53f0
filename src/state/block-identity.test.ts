import { expect, test } from 'vitest'
import { arbitrum } from '../chains/arbitrum.js'
import { ethereum } from '../chains/ethereum.js'
import { toPaddedHex } from '../hex.js'
import { type BlockIdentity, isSameBlock } from './block-identity.js'
import { createMemoryStateSource } from './memory-state-source.js'

const { block } = createMemoryStateSource({
  block: { number: 100n, timestamp: 5_000n, parentHash: toPaddedHex(99n, 32) },
})
const same: BlockIdentity = {
  chainId: 1n,
  number: 100n,
  timestamp: 5_000n,
  parentHash: toPaddedHex(99n, 32),
  arbitrumNumber: 0n,
}

test('a block is itself', () => expect(isSameBlock(ethereum, block, same)).toBe(true))

test.each<Partial<BlockIdentity>>([
  { chainId: 56n },
  { number: 101n },
  { timestamp: 5_012n },
  { parentHash: toPaddedHex(98n, 32) },
])('another one differs: %o', (difference) => {
  expect(isSameBlock(ethereum, block, { ...same, ...difference })).toBe(false)
})

test('on Arbitrum the height of ArbSys tells, because NUMBER and BLOCKHASH go by L1', () => {
  const onArbitrum = { ...block, chainId: 42161, l1BlockNumber: 7n }
  const seen = { ...same, chainId: 42161n, number: 7n, parentHash: toPaddedHex(1n, 32), arbitrumNumber: 100n }
  expect(isSameBlock(arbitrum, onArbitrum, seen)).toBe(true)
  expect(isSameBlock(arbitrum, onArbitrum, { ...seen, arbitrumNumber: 101n })).toBe(false)
  expect(isSameBlock(arbitrum, onArbitrum, { ...seen, number: 8n })).toBe(false)
})
