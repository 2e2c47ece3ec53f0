import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fault, type FaultProxy, startFaultProxy } from '../../../test/fault-proxy/fault-proxy.js'
import type { Chain } from '../../chains/chain.js'
import { ethereum } from '../../chains/ethereum.js'
import { createSystemClock } from '../../clock.js'
import { type Anvil, startAnvil } from '../../devnet/anvil.js'
import { createDevnetNode, type DevnetNode } from '../../devnet/node.js'
import { type Hex, toPaddedHex } from '../../hex.js'
import { createRpcClient, type RpcClient } from '../../rpc/rpc-client.js'
import { createMemoryStateSource } from '../../state/memory-state-source.js'
import type { PinnedBlock } from '../../state/state-source.js'
import { createReadTransfers } from './read-transfers.js'
import { TRANSFER_TOPIC } from './transfer-log.js'

/** Emits as many transfers as the first word of its calldata says: LOG3 in a loop. */
const EMITTER: Hex = `0x5f355b80156037578060077f${TRANSFER_TOPIC.slice(2)}60205fa3600190036002565b00`
const BUSY = '0x00000000000000000000000000000000000b0507'
const QUIET = '0x0000000000000000000000000000000000009037'
/** Few blocks make a day, so that the test need not mine thousands. */
const chain: Chain = { ...ethereum, blockTimeMs: 600_000 }
const BLOCKS = 144
const BLOCK_SECONDS = 600
const MOMENTS = 24
/** 960 a day. */
const PER_MOMENT = 40

let anvil: Anvil
let node: DevnetNode
let proxy: FaultProxy
let rpc: RpcClient
let head: PinnedBlock

/**
 * A day at the chain's pace, with something of the busy token each hour, and of the quiet one
 * twice.
 */
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  node = createDevnetNode(anvil.url)
  proxy = await startFaultProxy(anvil.url)
  for (const token of [BUSY, QUIET]) await node.call('anvil_setCode', token, EMITTER)
  const [from] = await node.call<Hex[]>('eth_accounts')
  const emit = (to: string, count: number) =>
    node.call('eth_sendTransaction', { from, to, data: toPaddedHex(BigInt(count), 32), gas: '0x989680' })
  const rest = toHex(BLOCKS / MOMENTS - 1)
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    await node.call('anvil_setAutomine', false)
    await emit(BUSY, PER_MOMENT)
    if (moment % 12 === 3) await emit(QUIET, 1)
    await node.call('anvil_mine', '0x1', toHex(BLOCK_SECONDS))
    await node.call('anvil_mine', rest, toHex(BLOCK_SECONDS))
  }
  const block = await node.call<{ number: Hex; hash: Hex; timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
  head = {
    ...createMemoryStateSource().block,
    number: BigInt(block.number),
    hash: block.hash,
    timestamp: BigInt(block.timestamp),
  }
})
beforeEach(() => {
  proxy.inject()
  proxy.reset()
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
  rpc = createRpcClient({ urls: [proxy.url], chainId: 1, clock: createSystemClock(), limits })
})
afterEach(() => rpc.close())
afterAll(() => Promise.all([proxy?.close(), anvil?.stop()]))

const toHex = (value: number) => `0x${value.toString(16)}`
/** A node on a busy machine adds a second here and there. */
async function timeOf(block: bigint): Promise<number> {
  const { timestamp } = await node.call<{ timestamp: Hex }>('eth_getBlockByNumber', toHex(Number(block)), false)
  return Number(timestamp)
}
const read = (token: Hex) => createReadTransfers(() => rpc)({ chain, token, head })

/** As a provider that gives no more than so many logs in one answer. */
const atMost = (logs: number): Fault => ({
  name: `at most ${logs} logs`,
  method: 'eth_getLogs',
  answer: (honest) =>
    Array.isArray(honest.result) && honest.result.length > logs
      ? { id: honest.id, error: { code: -32005, message: `query returned more than ${logs} results` } }
      : honest,
})

test('a quiet token is read whole, in one request', async () => {
  await rpc.probe()
  proxy.seen.http = 0
  const reading = await read(QUIET)
  expect(reading.logs).toHaveLength(2)
  expect(reading).toMatchObject({ coveredFrom: 0n, samples: [] })
  expect(proxy.seen.http).toBeLessThanOrEqual(2)
})

test('a busy token is read whole once, and then only its newest transfers', async () => {
  const readTransfers = createReadTransfers(() => rpc)
  const query = { chain, token: BUSY, head } as const
  expect((await readTransfers(query)).logs).toHaveLength(MOMENTS * PER_MOMENT)
  const again = await readTransfers(query)
  // A sixth of a day has four moments.
  expect(again.logs).toHaveLength(4 * PER_MOMENT)
  expect(again.coveredFrom).toBe(head.number - BigInt(BLOCKS / 6) + 1n)
  expect(again.coveredSince).toBe(await timeOf(again.coveredFrom))
})

test('what a node refuses to give at once is given piece by piece, and the reading says how far it came', async () => {
  proxy.inject(atMost(100))
  const { logs, coveredFrom } = await read(BUSY)
  expect(logs.length).toBeGreaterThan(0)
  expect(logs.length).toBeLessThan(MOMENTS * PER_MOMENT)
  expect(logs.every(({ blockNumber }) => blockNumber >= coveredFrom)).toBe(true)
})

test('the time of each transfer is that of its block', async () => {
  const { logs } = await read(QUIET)
  for (const { blockNumber, timestamp } of logs) {
    expect(timestamp).toBe(await timeOf(blockNumber))
  }
})

test('a node that has no logs to give is an error rather than a quiet token', async () => {
  proxy.inject({
    name: 'refused',
    method: 'eth_getLogs',
    answer: ({ id }) => ({ id, error: { code: -32601, message: 'the method eth_getLogs does not exist' } }),
  })
  await expect(read(QUIET)).rejects.toThrow()
})
