import { afterAll, beforeAll, expect, test } from 'vitest'
import { examplePlans } from '../src/devnet/examples.js'
import { createDevnetNode } from '../src/devnet/node.js'
import type { SimulationReport } from '../src/reports/simulation/schema.js'
import { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy/fault-proxy.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from './service-on-devnet.js'

/** `Transfer(address,address,uint256)` */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const DAY = 86_400

type History = SimulationReport['checks']['transactionHistoryResult']

let service: ServiceOnDevnet
let proxy: FaultProxy
beforeAll(async () => {
  const nodeUrls = async (url: string) => {
    proxy = await startFaultProxy(url)
    return [proxy.url]
  }
  service = await startServiceOnDevnet({ chainId: 1 }, { nodeUrls })
})
afterAll(async () => {
  await service?.stop()
  await proxy?.close()
})

/** At a block of its own: what was read is known of its block. */
async function historyOf(name: string): Promise<{ history: History; now: number }> {
  const node = createDevnetNode(service.devnet.url)
  await node.call('evm_mine')
  const blockNumber = Number(await node.call<string>('eth_blockNumber'))
  const path = '/api/simulate/execute-simulation'
  const { checks, block } = await service.post<SimulationReport>(path, service.addressOf(name), {
    blockNumber,
    only: true,
  })
  return { history: checks.transactionHistoryResult, now: Date.parse(block?.timestamp ?? '') / 1_000 }
}

interface KnownTransfer {
  hash: string
  from: string
  to: string
  at: number
}

/** Every transfer of the chain's short life, read in the plainest way. Newest first. */
async function knownTransfers(token: string): Promise<KnownTransfer[]> {
  const node = createDevnetNode(service.devnet.url)
  const logs = await node.call<{ topics: string[]; transactionHash: string; blockNumber: `0x${string}` }[]>(
    'eth_getLogs',
    { address: token, topics: [TRANSFER], fromBlock: '0x0', toBlock: 'latest' },
  )
  const transfers = logs.map(async ({ topics, transactionHash, blockNumber }) => {
    const block = await node.call<{ timestamp: string }>('eth_getBlockByNumber', blockNumber, false)
    const party = (topic = '') => `0x${topic.slice(26)}`
    return { hash: transactionHash, from: party(topics[1]), to: party(topics[2]), at: Number(block.timestamp) }
  })
  return (await Promise.all(transfers)).reverse()
}

const names = examplePlans.filter(({ chainIds }) => chainIds.includes(1)).map(({ name }) => name)

test.each(names)('the history of %s is exact', async (name) => {
  const { history, now } = await historyOf(name)
  const all = await knownTransfers(service.addressOf(name))
  const week = all.filter(({ at }) => at >= now - 7 * DAY)
  const day = week.filter(({ at }) => at >= now - DAY)
  const people = (transfers: readonly KnownTransfer[], side: 'from' | 'to') =>
    new Set(transfers.map((transfer) => transfer[side]).filter((account) => !/^0x0+$/.test(account))).size
  for (const [known, told] of [
    [day, history.summary?.last24Hours],
    [week, history.summary?.last7Days],
  ] as const) {
    expect(told).toMatchObject({
      transfers: known.length,
      senders: people(known, 'from'),
      receivers: people(known, 'to'),
      isEstimate: false,
    })
  }
  expect(history.recentTransfers.map(({ hash }) => hash)).toEqual(all.slice(0, 10).map(({ hash }) => hash))
})

/** Widths far below the week that is asked for. */
const narrow = (width: number): Fault => ({
  name: `at most ${width} blocks`,
  method: 'eth_getLogs',
  answer: (honest, { params }) => {
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    return Number(toBlock) - Number(fromBlock) + 1 > width
      ? { id: honest.id, error: { code: -32614, message: `eth_getLogs is limited to a ${width} range` } }
      : honest
  },
})

test('a node that gives few blocks at a time leads to the same answer', async () => {
  const { history: whole } = await historyOf('taxed')
  proxy.inject(narrow(10))
  const { history } = await historyOf('taxed')
  proxy.inject()
  expect(history).toEqual(whole)
})

test.each([
  ['refuses', { id: null, error: { code: -32601, message: 'the method eth_getLogs does not exist' } }],
  ['answers nonsense', { result: [{ address: '0x' }] }],
  ['claims that there is nothing to give', { error: { code: -32000, message: 'internal error' } }],
] as const)('a node that %s is a failed look-up, not a dead token', async (_, answer) => {
  proxy.inject({ name: 'logs', method: 'eth_getLogs', answer: ({ id }) => ({ ...answer, id }) })
  const { history } = await historyOf('clean')
  proxy.inject()
  expect(history).toMatchObject({ success: false, activityPulse: null, recentTransfers: [], summary: null })
})
