import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Fault,
  type FaultProxy,
  type ProxyAnswer,
  type ProxyCall,
  startFaultProxy,
} from '../../test/fault-proxy/fault-proxy.js'
import { EXCHANGE_FAULTS } from '../../test/fault-proxy/node-faults.js'
import { createManualClock, createSystemClock } from '../clock.js'
import { type Anvil, startAnvil } from '../devnet/anvil.js'
import { toPaddedHex } from '../hex.js'
import type { Capabilities } from './capabilities.js'
import { createDoubt } from './doubt.js'
import { createExcesses } from './excesses.js'
import { getBalance } from './methods.js'
import { createRpcClient, type RpcClient } from './rpc-client.js'
import type { Suspect } from './suspect.js'

const TOKEN = '0x00000000000000000000000000000000000c0de0'
const OTHER = '0x00000000000000000000000000000000000c0de1'
/** More than open a breaker. */
const QUESTIONS = 8

let anvil: Anvil
let proxy: FaultProxy
let rpc: RpcClient

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  proxy = await startFaultProxy(anvil.url)
})
beforeEach(async () => {
  proxy.inject()
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY, callTimeoutMs: 1_500, maxAnswerBytes: 100_000 }
  rpc = createRpcClient({ urls: [proxy.url], chainId: 1, clock: createSystemClock(), limits })
  await rpc.probe()
  proxy.reset()
})
afterEach(() => rpc.close())
afterAll(() => Promise.all([proxy.close(), anvil.stop()]))

const isUsable = () => rpc.stats().endpoints.every((endpoint) => endpoint.isUsable)

/** Each question once: the answers to a second try would say nothing new. */
function ask(suspect: Suspect) {
  const options = { suspect, canAskLess: true }
  return Promise.allSettled(Array.from({ length: QUESTIONS }, () => rpc.call(getBalance(TOKEN, 'latest'), options)))
}

/** What one contract can do to the answers about it, while the node answers everything else. */
const excesses: Fault[] = [
  {
    name: 'late',
    exchange: async (reply, honest, calls) => {
      if (calls.some(isAboutToken)) return EXCHANGE_FAULTS['no answer ever']?.(reply, honest, calls)
      reply.writeHead(200, { 'content-type': 'application/json' }).end(await honest())
    },
  },
  answering('too long', (honest) => ({ ...honest, result: 'x'.repeat(200_000) })),
  answering('given up by the node', ({ id }) => ({ id, error: { code: -32000, message: 'execution timeout' } })),
  answering('more than the node breaks over', ({ id }) => ({
    id,
    error: { code: -32603, message: 'handler crashed' },
  })),
]

const isAboutToken = ({ params }: ProxyCall) => params[0] === TOKEN

function answering(name: string, answer: (honest: ProxyAnswer) => ProxyAnswer): Fault {
  const method = 'eth_getBalance'
  return { name, method, answer: (honest, call) => (isAboutToken(call) ? answer(honest) : honest) }
}

describe('answers that a contract can spoil', () => {
  test.each(excesses)('$name: the node stays open to all others', async (fault) => {
    proxy.inject(fault)
    const answers = await ask(TOKEN)
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
    expect(rpc.stats().failures).toBeGreaterThanOrEqual(QUESTIONS)
    // The node was asked a question of its own, and it was believed.
    await expect.poll(ownQuestions).toBeGreaterThan(0)
    expect(await rpc.call(getBalance(OTHER, 'latest'), { suspect: OTHER })).toBe(0n)
    expect(isUsable()).toBe(true)
  })

  test.each(excesses)('$name: at a question of the chain itself it counts against the node', async (fault) => {
    proxy.inject(fault)
    await ask('chain')
    expect(isUsable()).toBe(false)
  })

  test('a node that is ill is left alone, although only contracts were asked about', async () => {
    proxy.inject({ name: 'HTTP 500', exchange: EXCHANGE_FAULTS['HTTP 500'] ?? expect.unreachable('no such fault') })
    await ask(TOKEN)
    await expect.poll(isUsable).toBe(false)
  })

  test('what no contract can do counts against the node at once', async () => {
    proxy.inject({ name: 'garbage', method: 'eth_getBalance', answer: (honest) => ({ ...honest, result: 'nonsense' }) })
    await ask(TOKEN)
    expect(isUsable()).toBe(false)
  })
})

const ownQuestions = () => proxy.seen.calls.filter(({ method }) => method === 'eth_chainId').length

describe('a doubt', () => {
  test('is settled by one question, however many failures are held back', async () => {
    const asked: ((isWell: boolean) => void)[] = []
    const blamed: unknown[] = []
    let acquitted = 0
    const doubt = createDoubt({
      askOwn: () => new Promise<void>((resolve, reject) => asked.push((isWell) => (isWell ? resolve() : reject()))),
      blame: (error) => blamed.push(error),
      acquit: () => {
        acquitted += 1
      },
    })
    for (let i = 0; i < 100; i += 1) doubt.hold(i)
    expect(asked).toHaveLength(1)
    asked[0]?.(true)
    await expect.poll(() => acquitted).toBe(1)
    expect(blamed).toEqual([])
    for (let i = 0; i < 3; i += 1) doubt.hold(`ill ${i}`)
    expect(asked).toHaveLength(2)
    asked[1]?.(false)
    await expect.poll(() => blamed).toEqual(['ill 0', 'ill 1', 'ill 2'])
    expect(acquitted).toBe(1)
  })
})

describe('excesses', () => {
  const able = { prestateTracer: true, simulate: true } as Capabilities
  const address = (i: number) => toPaddedHex(BigInt(i), 20)

  test('cost their own contract the ability, for a while, and no other contract or node', () => {
    const clock = createManualClock()
    const excesses = createExcesses(clock)
    excesses.note(TOKEN, 0, 'prestateTracer')
    expect(excesses.without(TOKEN, 0, able)).toEqual({ prestateTracer: false, simulate: true })
    expect(excesses.without(OTHER, 0, able)).toEqual(able)
    expect(excesses.without(TOKEN, 1, able)).toEqual(able)
    clock.advance(300_000)
    expect(excesses.without(TOKEN, 0, able)).toEqual(able)
  })

  test('of a thousand contracts are remembered, and the oldest forgotten', () => {
    const excesses = createExcesses(createManualClock())
    for (let i = 0; i <= 1_000; i += 1) excesses.note(address(i), 0, 'simulate')
    expect(excesses.without(address(0), 0, able).simulate).toBe(true)
    expect(excesses.without(address(1), 0, able).simulate).toBe(false)
    expect(excesses.without(address(1_000), 0, able).simulate).toBe(false)
  })
})
