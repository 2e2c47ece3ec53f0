import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fault, type FaultProxy, startFaultProxy } from '../../test/fault-proxy/fault-proxy.js'
import { createSystemClock } from '../clock.js'
import { type Anvil, startAnvil } from '../devnet/anvil.js'
import { createDevnetNode, type DevnetNode } from '../devnet/node.js'
import { type Address, type Hex, toPaddedHex, toQuantity } from '../hex.js'
import { LogsRefusedError, LogsTooHeavyError } from './log-widths.js'
import { createLogReader } from './read-logs.js'
import { createRpcClient, type RpcClient, RpcUnavailableError } from './rpc-client.js'

const TOKEN = '0x00000000000000000000000000000000000c0de0'
const OTHER = '0x00000000000000000000000000000000000c0de1'
const BLOCKS = 3_000n

let anvil: Anvil
let node: DevnetNode
let proxy: FaultProxy
let rpc: RpcClient
let truth: string[]

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  node = createDevnetNode(anvil.url)
  proxy = await startFaultProxy(anvil.url)
  // LOG2 with the two words of calldata as topics.
  for (const address of [TOKEN, OTHER]) await node.call('anvil_setCode', address, '0x6020355f355f5fa2')
  const [from] = await node.call<Hex[]>('eth_accounts')
  for (let i = 0; i < 12; i += 1) {
    const data = `${toPaddedHex(BigInt(i % 2), 32)}${toPaddedHex(BigInt(i), 32).slice(2)}`
    await node.call('eth_sendTransaction', { from, to: TOKEN, data })
    await node.call('eth_sendTransaction', { from, to: OTHER, data })
    await node.call('anvil_mine', '0xf0')
  }
  const head = BigInt(await node.call<Hex>('eth_blockNumber'))
  await node.call('anvil_mine', `0x${(BLOCKS - head).toString(16)}`)
  const logs = await node.call<{ transactionHash: string }[]>('eth_getLogs', { address: TOKEN, fromBlock: '0x0' })
  truth = logs.map(({ transactionHash }) => transactionHash).reverse()
})

beforeEach(() => {
  proxy.inject()
  proxy.reset()
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
  rpc = createRpcClient({ urls: [proxy.url], chainId: 1, clock: createSystemClock(), limits })
})
afterEach(() => rpc.close())
afterAll(() => Promise.all([proxy.close(), anvil.stop()]))

const everything = { address: TOKEN, suspect: TOKEN, topics: [], fromBlock: 0n, toBlock: BLOCKS } as const

/** As a provider that searches `width` blocks at a time. */
const narrow = (width: number): Fault => ({
  name: `at most ${width} blocks`,
  method: 'eth_getLogs',
  answer: (honest, { params }) => {
    const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex }
    const isTooWide = Number(toBlock) - Number(fromBlock) + 1 > width
    return isTooWide
      ? { id: honest.id, error: { code: -32614, message: `eth_getLogs is limited to a ${width} range` } }
      : honest
  },
})

test('everything comes in one request, newest first', async () => {
  await rpc.probe()
  proxy.seen.http = 0
  const scan = await createLogReader({ rpc }).read(everything)
  expect(scan.logs.map(({ transactionHash }) => transactionHash)).toEqual(truth)
  expect(scan).toMatchObject({ coveredFrom: 0n, truncated: undefined })
  expect(proxy.seen.http).toBe(1)
})

test('topics select', async () => {
  const scan = await createLogReader({ rpc }).read({ ...everything, topics: [toPaddedHex(1n, 32), null] })
  expect(scan.logs).toHaveLength(6)
  const several = [[toPaddedHex(3n, 32), toPaddedHex(4n, 32)]]
  expect((await createLogReader({ rpc }).read({ ...everything, topics: [null, ...several] })).logs).toHaveLength(2)
})

test.each([2_000, 1_000, 500])('a node that searches %d blocks at a time gives the same', async (width) => {
  proxy.inject(narrow(width))
  const scan = await createLogReader({ rpc }).read(everything)
  expect(scan.logs.map(({ transactionHash }) => transactionHash)).toEqual(truth)
  expect(scan).toMatchObject({ coveredFrom: 0n, truncated: undefined })
})

test('the newest blocks and the rest come in one request', async () => {
  await rpc.probe()
  proxy.seen.http = 0
  const scan = await createLogReader({ rpc }).read(everything, { newestBlocks: 1_000n })
  expect(scan.logs.map(({ transactionHash }) => transactionHash)).toEqual(truth)
  expect(scan).toMatchObject({ coveredFrom: 0n, truncated: undefined })
  expect(proxy.seen.http).toBe(1)
})

test('the newest blocks count although the rest is refused', async () => {
  proxy.inject(narrow(1_000))
  const reader = createLogReader({ rpc })
  const first = await reader.read(everything, { newestBlocks: 1_000n, bounds: { maxHttpRequests: 1 } })
  expect(first).toMatchObject({ coveredFrom: BLOCKS - 999n, truncated: 'requests' })
  const { timestamp } = await node.call<{ timestamp: Hex }>('eth_getBlockByNumber', toQuantity(BLOCKS - 999n), false)
  expect(first.coveredSince).toBe(BigInt(timestamp))
  const whole = await reader.read(everything, { newestBlocks: 1_000n })
  expect(whole.logs.map(({ transactionHash }) => transactionHash)).toEqual(truth)
  expect(whole).toMatchObject({ coveredFrom: 0n, truncated: undefined })
})

test('a node that gives neither the newest blocks nor the rest is asked for less', async () => {
  proxy.inject(narrow(500))
  const scan = await createLogReader({ rpc }).read(everything, { newestBlocks: 1_000n })
  expect(scan.logs.map(({ transactionHash }) => transactionHash)).toEqual(truth)
})

test('the width that a node takes is remembered', async () => {
  proxy.inject(narrow(500))
  const reader = createLogReader({ rpc })
  await reader.read(everything)
  proxy.seen.http = 0
  await reader.read(everything)
  // One page of 500 blocks, then four at a time.
  expect(proxy.seen.http).toBe(3)
})

test('what was not read is said', async () => {
  proxy.inject(narrow(100))
  const scan = await createLogReader({ rpc }).read(everything, { bounds: { maxHttpRequests: 12 } })
  expect(scan.truncated).toBe('requests')
  expect(scan.coveredFrom).toBeGreaterThan(0n)
  expect(scan.logs.every(({ blockNumber }) => blockNumber >= (scan.coveredFrom ?? 0n))).toBe(true)
  const few = await createLogReader({ rpc }).read(everything, { bounds: { maxLogs: 1 } })
  expect(few.truncated).toBe('logs')
})

test('a node that searches nothing is not asked over and over', async () => {
  proxy.inject(narrow(0))
  const reader = createLogReader({ rpc })
  await expect(reader.read(everything)).rejects.toThrow(LogsRefusedError)
  proxy.seen.http = 0
  await expect(reader.read(everything)).rejects.toThrow(LogsRefusedError)
  expect(proxy.seen.http).toBe(0)
})

test('where one node refuses the range, another is asked', async () => {
  proxy.inject(narrow(0))
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
  const both = createRpcClient({ urls: [proxy.url, anvil.url], chainId: 1, clock: createSystemClock(), limits })
  const scan = await createLogReader({ rpc: both }).read(everything)
  expect(scan.logs).toHaveLength(12)
  await both.close()
})

test('a node that is behind the block does not pass for one without news', async () => {
  const query = { ...everything, toBlock: BLOCKS + 5n }
  await expect(createLogReader({ rpc }).read(query)).rejects.toThrow(RpcUnavailableError)
  const otherBranch = { ...everything, toBlockHash: toPaddedHex(1n, 32) }
  await expect(createLogReader({ rpc }).read(otherBranch)).rejects.toThrow(RpcUnavailableError)
})

/**
 * As {@link narrow}, for one contract alone: there are too many of its logs, say, in more than
 * `width` blocks.
 */
const narrowFor = (address: string, width: number): Fault => ({
  name: `at most ${width} blocks of ${address}`,
  method: 'eth_getLogs',
  answer: (honest, { params }) => {
    const query = params[0] as { address: string; fromBlock: Hex; toBlock: Hex }
    const isTooMany = query.address === address && Number(query.toBlock) - Number(query.fromBlock) + 1 > width
    const message = 'query returned more than 10000 results'
    return isTooMany ? { id: honest.id, error: { code: -32005, message } } : honest
  },
})
const ofOther = { ...everything, address: OTHER, suspect: OTHER } as const

test('a contract with too many logs narrows its own reading and no other', async () => {
  proxy.inject(narrowFor(TOKEN, 100))
  const reader = createLogReader({ rpc })
  expect(await reader.read(everything)).toMatchObject({ coveredFrom: 0n, truncated: undefined })
  proxy.seen.http = 0
  expect((await reader.read(ofOther)).logs).toHaveLength(12)
  expect(proxy.seen.http).toBe(1)
  proxy.seen.http = 0
  await reader.read(everything)
  // A page of 100 blocks, then four at a time: it begins where it ended.
  expect(proxy.seen.http).toBe(9)
})

test('a contract whose logs are refused for any width silences itself alone', async () => {
  proxy.inject(narrowFor(TOKEN, 0))
  const reader = createLogReader({ rpc })
  await expect(reader.read(everything)).rejects.toThrow(LogsTooHeavyError)
  expect((await reader.read(ofOther)).logs).toHaveLength(12)
})

test('a node that has no such method is not asked over and over', async () => {
  const refuse: Fault = {
    name: 'no eth_getLogs',
    method: 'eth_getLogs',
    answer: ({ id }) => ({ id, error: { code: -32601, message: 'the method eth_getLogs does not exist' } }),
  }
  proxy.inject(refuse)
  const reader = createLogReader({ rpc })
  await expect(reader.read(everything)).rejects.toThrow(LogsRefusedError)
  proxy.seen.http = 0
  await expect(reader.read(ofOther)).rejects.toThrow(LogsRefusedError)
  expect(proxy.seen.http).toBe(0)
})

describe('logs that are longer than an answer may be', () => {
  const HEAVY = '0x0000000000000000000000000000000000ea7000'
  let heavyBlock: bigint
  let head: bigint

  /**
   * Two transfers, then a log of 80 KB, then two more, each in a block of its own and far apart.
   */
  beforeAll(async () => {
    // LOG2 of as many bytes as the third word of calldata says.
    await node.call('anvil_setCode', HEAVY, '0x6020355f356040355fa2')
    const [from] = await node.call<Hex[]>('eth_accounts')
    for (const bytes of [0, 0, 80_000, 0, 0]) {
      const words = [1n, 2n, BigInt(bytes)].map((word) => toPaddedHex(word, 32).slice(2))
      await node.call('eth_sendTransaction', {
        from,
        to: HEAVY,
        data: `0x${words.join('')}`,
        gas: toQuantity(2_000_000n),
      })
      await node.call('anvil_mine', '0x40')
    }
    head = BigInt(await node.call<Hex>('eth_blockNumber'))
    const logs = await node.call<{ data: Hex; blockNumber: Hex }[]>('eth_getLogs', { address: HEAVY, fromBlock: '0x0' })
    heavyBlock = BigInt(logs.find(({ data }) => data.length > 2)?.blockNumber ?? 0)
  })

  const queryOf = (address: Address) => ({ address, suspect: address, topics: [], fromBlock: BLOCKS, toBlock: head })
  const readerWith = (maxAnswerBytes: number) => {
    const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY, maxAnswerBytes }
    const client = createRpcClient({ urls: [proxy.url], chainId: 1, clock: createSystemClock(), limits })
    clients.push(client)
    return { client, reader: createLogReader({ rpc: client }) }
  }
  const clients: RpcClient[] = []
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())))

  test('end the reading above their block, which is said', async () => {
    const { client, reader } = readerWith(100_000)
    const scan = await reader.read(queryOf(HEAVY))
    expect(scan).toMatchObject({ truncated: 'refused', coveredFrom: heavyBlock + 1n })
    expect(scan.logs).toHaveLength(2)
    expect(client.stats().endpoints.map(({ isUsable }) => isUsable)).toEqual([true])
  })

  test('are read where answers may be longer', async () => {
    const { reader } = readerWith(1_000_000)
    const scan = await reader.read(queryOf(HEAVY))
    expect(scan).toMatchObject({ truncated: undefined, coveredFrom: BLOCKS })
    expect(scan.logs).toHaveLength(5)
  })

  test('are no news of a quiet contract when nothing else could be read', async () => {
    const { client, reader } = readerWith(100_000)
    const query = { ...queryOf(HEAVY), toBlock: heavyBlock }
    for (let i = 0; i < 3; i += 1) await expect(reader.read(query)).rejects.toThrow(LogsTooHeavyError)
    expect(await reader.read(queryOf(OTHER))).toMatchObject({ truncated: undefined, logs: [] })
    expect(client.stats().endpoints.map(({ isUsable }) => isUsable)).toEqual([true])
  })
})
