import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { isWhole, TURN_OF_RUN } from '../some-of.js'
import { replayBlock } from './replay-transactions.js'
import { createTestRpc } from './rpc.js'

/**
 * Block 1 stands on contracts that were placed without a transaction: the state before it cannot be
 * asked for.
 */
const FIRST_BLOCK = 2
/** One block in so many, others each day. */
const STEP = isWhole ? 1 : 8

/** Ethereum with all examples; the others for their own block environment. */
describe.each([
  { chainId: 1, least: 500 },
  { chainId: 8453, least: 100 },
])('devnet of chain $chainId', ({ chainId, least }) => {
  let devnet: Devnet

  beforeAll(async () => {
    devnet = await startDevnet({ chainId })
  })

  afterAll(async () => {
    await devnet.stop()
  })

  test('every transaction of its history has the call tree, logs and gas that anvil gives it', {
    timeout: 120_000,
  }, async () => {
    const rpc = createTestRpc(devnet.url)
    const head = Number(await rpc.call<string>('eth_blockNumber'))
    let compared = 0
    for (let number = FIRST_BLOCK + (TURN_OF_RUN % STEP); number <= head; number += STEP) {
      for (const { hash, ours, theirs } of await replayBlock(rpc, chainId, BigInt(number))) {
        expect(ours, `transaction ${hash} of block ${number}`).toEqual(theirs)
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(least / STEP / 2)
  })
})
