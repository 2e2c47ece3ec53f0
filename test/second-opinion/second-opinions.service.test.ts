import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkTrade } from '../../src/checks/trade/check-trade.js'
import { tradePlan } from '../../src/checks/trade/open-state.js'
import { run } from '../../src/cli/program.js'
import type { Clock } from '../../src/clock.js'
import { createSystemClock } from '../../src/clock.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import type { Address } from '../../src/hex.js'
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js'
import {
  createSecondOpinions,
  type SecondOpinion,
  type SecondOpinions,
} from '../../src/simulation/second-opinion/create-second-opinions.js'
import {
  type Disagreement,
  parseDisagreement,
  replayDisagreement,
} from '../../src/simulation/second-opinion/disagreement.js'
import { createKeeper } from '../../src/simulation/second-opinion/keep-disagreements.js'
import { createSimulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { createStateMemory } from '../../src/state/state-memory.js'
import { type Fault, type FaultProxy, type ProxyAnswer, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { limitedNode } from '../fault-proxy/limited-node.js'
import { threadsOfWorker } from '../threads-of-worker.js'

const EXAMPLES = ['clean', 'taxed', 'sell-blocked', 'v3-only', 'rising-tax', 'usdt'] as const
const clock = createSystemClock()
const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }

let devnet: Devnet
let proxy: FaultProxy
/** What analyses ask; what second opinions ask goes through the proxy. */
let rpc: RpcClient
let folder: string
beforeAll(async () => {
  devnet = await startDevnet({ chainId: 1, examples: EXAMPLES })
  proxy = await startFaultProxy(devnet.url)
  rpc = createRpcClient({ urls: [devnet.url], chainId: 1, clock, limits })
  folder = mkdtempSync(join(tmpdir(), 'assay-'))
})
afterAll(async () => {
  await rpc?.close()
  await proxy?.close()
  await devnet?.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  proxy.inject()
  proxy.reset()
})

interface Asked {
  opinions: SecondOpinion[]
  kept: Disagreement[]
  files: string[]
  report: Awaited<ReturnType<typeof checkTrade>>
}

/** Trades an example `times` times, and waits for what the node behind the proxy says of it. */
async function trade(
  name: string,
  { times = 1, oneIn = 1, time = clock, draw = (): number => 0 } = {},
): Promise<Asked> {
  const asked: Omit<Asked, 'report'> = { opinions: [], kept: [], files: [] }
  const client = createRpcClient({ urls: [proxy.url], chainId: 1, clock, limits })
  const opinions = createSecondOpinions({
    ...{ oneIn, clock: time, draw, clientOf: () => client },
    onOpinion: (_, opinion) => asked.opinions.push(opinion),
    keep: createKeeper({
      ...{ folder, clock },
      onKept(path, disagreement) {
        asked.files.push(path)
        asked.kept.push(disagreement)
      },
      onFailure: expect.unreachable,
    }),
  })
  try {
    let report: Asked['report'] | undefined
    for (let i = 0; i < times; i += 1) report = await tradeOnce(name, opinions)
    return { ...asked, report: report ?? expect.unreachable() }
  } finally {
    await client.close()
  }
}

async function tradeOnce(name: string, secondOpinions: SecondOpinions) {
  const address = addressOf(name)
  const { chain } = devnet
  const simulator = createSimulator({ threads: threadsOfWorker().trades, secondOpinions })
  const plan = tradePlan('simulate', { chain, address })
  const state = await openState({ rpc, chain, suspect: address, memory: createStateMemory({ clock }), plan })
  try {
    const traderSecret = new Uint8Array(32).fill(7)
    const report = await checkTrade({ simulator, traderSecret, clock }, { chain, address }, state)
    await secondOpinions.idle()
    return report
  } finally {
    await simulator.close()
  }
}

function addressOf(name: string): Address {
  return devnet.examples.find((each) => each.name === name)?.targetContractAddress ?? expect.unreachable(name)
}

/** Changes what the node says of the last transaction it is asked about. */
const lie = (change: (result: Record<string, unknown>) => object): Fault => ({
  name: 'lies',
  method: 'debug_traceCall',
  answer: (honest: ProxyAnswer, { params }) => {
    const [call] = params as [{ to?: string }]
    const isTrade = call.to === devnet.chain.v2[0]?.router
    const result = honest.result as Record<string, unknown>
    return isTrade && result?.gasUsed ? { ...honest, result: { ...result, ...change(result) } } : honest
  },
})

test.each(EXAMPLES)('a real node agrees on the trades of %s, by debug_traceCall', async (name) => {
  const { opinions, kept } = await trade(name)
  expect(kept.map(({ differences, theirs, result }) => [differences, theirs.result, result])).toEqual([])
  expect(opinions).toEqual(['agrees'])
  expect(proxy.seen.calls.filter(({ method }) => method === 'debug_traceCall').length).toBeGreaterThan(3)
})

test.each(EXAMPLES.slice(1, 4))('a real node agrees on the trades of %s, by eth_simulateV1', async (name) => {
  proxy.inject(...limitedNode('debug_traceCall'))
  const { opinions, kept } = await trade(name)
  expect(kept.map(({ differences, theirs, result }) => [differences, theirs.result, result])).toEqual([])
  expect(opinions).toEqual(['agrees'])
})

test.each([
  ['gasUsed', { gasUsed: '0x5208' }],
  ['output', { output: '0x01' }],
  ['status', { error: 'execution reverted' }],
  ['logs', { logs: [], calls: [] }],
])('a node that tells another %s is counted, and the report stays as it was', async (difference, change) => {
  const honest = await trade('clean')
  proxy.inject(lie(() => change))
  const { opinions, kept, report } = await trade('clean')
  expect(opinions).toEqual(['differs'])
  expect(kept).toHaveLength(1)
  expect(kept[0]?.differences).toContain(difference)
  expect({ ...report, simulatedAt: 0 }).toEqual({ ...honest.report, simulatedAt: 0 })
})

test('what is kept of a disagreement replays it, here and on a node', async () => {
  proxy.inject(lie(() => ({ output: '0x01' })))
  const [path = ''] = (await trade('taxed')).files
  const kept = parseDisagreement(readFileSync(path, 'utf8'))
  expect(replayDisagreement(devnet.chain, kept)).toEqual(kept.result)
  const { method, params } = kept.theirs.request
  const again = await devnet.node.call<{ gasUsed: string }>(method, ...params)
  expect(BigInt(again.gasUsed)).toBe(kept.result.gasUsed)

  const written: string[] = []
  const io = {
    env: {},
    write: (text: string) => void written.push(text),
    writeError: (text: string) => void written.push(text),
  }
  expect(await run(['second-opinion', path], { ...io, setExitCode: () => {} } as never)).toBe(1)
  expect(written.join('')).toContain('differs in output')
  expect(await run(['second-opinion', path, '--rpc', devnet.url], { ...io, setExitCode: () => {} } as never)).toBe(0)
  expect(written.join('')).toContain('no difference')
  expect(await run(['second-opinion', join(folder, 'none')], { ...io, setExitCode: () => {} } as never)).toBe(1)
  expect(written.join('')).toContain('the file is no disagreement that was kept')
})

test('only the newest files are kept', async () => {
  let now = 0
  const keep = createKeeper({
    folder: join(folder, 'many'),
    clock: { ...clock, now: () => now },
    onKept() {},
    onFailure: expect.unreachable,
  })
  const block = { number: 1n } as Disagreement['block']
  for (; now < 40_000; now += 1_000) await keep({ chainId: 1, block } as Disagreement)
  const names = readdirSync(join(folder, 'many')).toSorted()
  expect(names).toHaveLength(32)
  expect(names[0]).toMatch(/^1970-01-01T00-00-08/)
})

test('a node that lacks both methods is asked once what it can do, and left alone for an hour', async () => {
  proxy.inject(...limitedNode('debug_traceCall', 'eth_simulateV1'))
  let now = 0
  const time: Clock = { now: () => now, monotonic: () => now }
  expect((await trade('clean', { times: 3, time })).opinions).toEqual(['unanswered'])
  const probes = proxy.seen.http
  expect(probes).toBeLessThanOrEqual(2)
  now += 3_600_001
  expect((await trade('clean', { times: 2, time })).opinions).toEqual(['unanswered'])
})

test('a node that ignores overrides of blocks has no say', async () => {
  proxy.inject({
    name: 'ignores block overrides',
    method: 'debug_traceCall',
    call: (call) => {
      const [what, at, options] = call.params as [object, string, { blockOverrides?: object }]
      const { blockOverrides: _, ...others } = options
      return { ...call, params: [what, at, others] }
    },
  })
  const { opinions } = await trade('clean')
  // It is asked by its other method then.
  expect(opinions).toEqual(['agrees'])
  expect(proxy.seen.calls.some(({ params }) => JSON.stringify(params).includes('blockStateCalls'))).toBe(true)
})

test('an answer that never comes delays no report', async () => {
  proxy.inject({ name: 'silent', method: 'debug_traceCall', exchange: () => {} })
  const client = createRpcClient({ urls: [proxy.url], chainId: 1, clock, limits })
  const seen: SecondOpinion[] = []
  const opinions = createSecondOpinions({
    ...{ oneIn: 1, clock, draw: () => 0, clientOf: () => client, keep: () => expect.unreachable() },
    onOpinion: (_, opinion) => void seen.push(opinion),
  })
  const report = await tradeOnce('clean', { ...opinions, idle: async () => {} })
  expect(report).toMatchObject({ success: true })
  expect(seen).toEqual([])
  expect(opinions.wants(devnet.chain)).toBe(false)
  await client.close()
  await opinions.idle()
  expect(seen).toEqual(['unanswered'])
})

test('a question that the node failed at is no reason not to ask the next', async () => {
  const client = createRpcClient({ urls: [proxy.url], chainId: 1, clock, limits })
  const seen: SecondOpinion[] = []
  const opinions = createSecondOpinions({
    ...{ oneIn: 1, clock, draw: () => 0, clientOf: () => client, keep: () => expect.unreachable() },
    onOpinion: (_, opinion) => void seen.push(opinion),
  })
  const broken = { code: -32000, message: 'the tracer broke' }
  const isOurs = ({ params }: { params: unknown[] }) => JSON.stringify(params).includes('callTracer')
  proxy.inject({
    name: 'breaks',
    method: 'debug_traceCall',
    answer: (honest, call) => (isOurs(call) ? { jsonrpc: '2.0', id: honest.id, error: broken } : honest),
  })
  await tradeOnce('clean', opinions)
  proxy.inject()
  await tradeOnce('clean', opinions)
  await client.close()
  expect(seen).toEqual(['unanswered', 'agrees'])
})

test('of one in so many simulations, and of none where that is said', async () => {
  const draws = [0.5, 0.009, 0.01].values()
  const draw = () => draws.next().value ?? 1
  expect((await trade('clean', { times: 3, oneIn: 100, draw })).opinions).toEqual(['agrees'])
  proxy.reset()
  expect((await trade('clean', { oneIn: 0 })).opinions).toEqual([])
  expect(proxy.seen.http).toBe(0)
})
