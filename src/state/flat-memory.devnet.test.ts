import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ethereum } from '../chains/ethereum.js'
import { createSystemClock } from '../clock.js'
import { type Anvil, startAnvil } from '../devnet/anvil.js'
import { createDevnetNode } from '../devnet/node.js'
import { type Address, type Hex, toPaddedHex } from '../hex.js'
import { createRpcClient, type RpcClient } from '../rpc/rpc-client.js'
import { openState } from './rpc-state-source.js'
import { createStateMemory } from './state-memory.js'
import type { StateMiss } from './state-reader.js'

const TOKENS = 2_000
/** Each has code of its own, of the length of a small token. */
const CODE_BYTES = 6_000
/** Room for about 100 tokens, so that it is full long before the first measurement. */
const BOUNDS = { maxBlockBytes: 1_000_000, maxCodeBytes: 1_000_000, maxReadSetBytes: 1_000_000 }
/** Noise of the heap between two collections. */
const TOLERANCE_BYTES = 8_000_000

let anvil: Anvil
let rpc: RpcClient

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  const node = createDevnetNode(anvil.url)
  const tokens = Array.from({ length: TOKENS }, (_, i) => i)
  for (let at = 0; at < TOKENS; at += 100) {
    await node.batch(
      tokens.slice(at, at + 100).map((i) => ({ method: 'anvil_setCode', params: [tokenAt(i), codeOf(i)] })),
    )
  }
  await node.call('evm_mine')
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
  rpc = createRpcClient({ urls: [anvil.url], chainId: 1, clock: createSystemClock(), limits })
})
afterAll(async () => {
  await rpc.close()
  await anvil.stop()
})

const tokenAt = (i: number): Address => toPaddedHex(0xc0de0000n + BigInt(i), 20)
const codeOf = (i: number): Hex =>
  `0x${i
    .toString(16)
    .padStart(8, '0')
    .repeat(CODE_BYTES / 4)}`

test('two thousand different tokens in a row leave memory flat', async () => {
  const memory = createStateMemory({ clock: createSystemClock(), ...BOUNDS })
  let early = 0
  for (let i = 0; i < TOKENS; i += 1) {
    const address = tokenAt(i)
    const slots = Array.from({ length: 40 }, (_, slot): StateMiss => ({ kind: 'storage', address, slot: BigInt(slot) }))
    const seeds: StateMiss[] = [{ kind: 'account', address }, ...slots]
    const state = await openState({
      suspect: 'chain',
      rpc,
      chain: ethereum,
      memory,
      plan: { key: `trade:${address}`, seeds },
    })
    expect(state.code(state.account(address)?.codeHash ?? '0x')).toHaveLength(CODE_BYTES)
    if (i === TOKENS / 4) early = heapBytes()
  }
  expect(heapBytes() - early).toBeLessThan(TOLERANCE_BYTES)
  const { blockBytes, codeBytes, readSetBytes } = memory.stats()
  expect(blockBytes).toBeLessThanOrEqual(BOUNDS.maxBlockBytes)
  expect(codeBytes).toBeLessThanOrEqual(BOUNDS.maxCodeBytes)
  expect(readSetBytes).toBeLessThanOrEqual(BOUNDS.maxReadSetBytes)
}, 120_000)

/** Heap and buffers in use after a full collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
